import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bitString,
  boolean,
  explicit,
  namedBits,
  objectIdentifier,
  sequence,
  setOf,
  smallInteger,
  tagged,
  time,
  unsignedInteger,
  utf8String,
} from './der.ts'
import { DerError, identifierOf, readAll, readOne, textOf } from './der-reader.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('values are encoded as in X.690', () => {
  test.each<[string, Uint8Array, string]>([
    ['zero', smallInteger(0), '020100'],
    ['a leading one bit is padded', smallInteger(128), '02020080'],
    ['leading zeros are dropped', unsignedInteger(Uint8Array.of(0, 0, 1)), '020101'],
    ['true', boolean(true), '0101ff'],
    ['two-part identifier', objectIdentifier('2.5.4.3'), '0603550403'],
    ['identifier with numbers beyond seven bits', objectIdentifier('1.2.840.113549'), '06062a864886f70d'],
    ['key usage digitalSignature', namedBits(0), '03020780'],
    ['key usage keyCertSign and crlSign', namedBits(5, 6), '03020106'],
    ['key usage decipherOnly', namedBits(8), '0303070080'],
    ['bits', bitString(Uint8Array.of(0xff)), '030200ff'],
    ['text', utf8String('ä'), '0c02c3a4'],
    ['explicit tag', explicit(3, boolean(false)), 'a303010100'],
    ['a set is sorted', setOf(smallInteger(2), smallInteger(1)), '3106020101020102'],
    [
      'a year before 2050',
      time(Date.UTC(2049, 11, 31, 23, 59, 59)),
      `170d${Buffer.from('491231235959Z').toString('hex')}`,
    ],
    ['a year from 2050 on', time(Date.UTC(2050, 0, 1)), `180f${Buffer.from('20500101000000Z').toString('hex')}`],
    ['a length of two bytes', tagged(4, new Uint8Array(200)), `0481c8${'00'.repeat(200)}`],
    ['a length of three bytes', tagged(4, new Uint8Array(300)), `0482012c${'00'.repeat(300)}`],
  ])('%s', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected)
  })
})

test('encoded values are decoded to the same values', () => {
  const part = fc.integer({ min: 0, max: 2 ** 31 })
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }),
      fc.string({ unit: 'binary' }),
      fc.array(part),
      (contents, text, parts) => {
        const values = readAll(readOne(sequence(...contents.map((content) => tagged(4, content)))).content)
        expect(values.map(({ content }) => hex(content))).toEqual(contents.map(hex))
        expect(textOf(readOne(utf8String(text)))).toBe(text.toWellFormed())
        const id = ['1', '3', ...parts].join('.')
        expect(identifierOf(readOne(objectIdentifier(id)))).toBe(id)
      },
    ),
  )
})

test.each<[string, string]>([
  ['nothing', ''],
  ['no length', '30'],
  ['longer than the input', '3005020101'],
  ['an indefinite length', '30800000'],
  ['a length of five bytes', '30850000000001'],
  ['bytes after the value', '02010100'],
  ['a long tag', '1f8101'],
])('%s is rejected', (_, bytes) => {
  expect(() => readOne(Buffer.from(bytes, 'hex'))).toThrow(DerError)
})

test('arbitrary bytes are decoded or rejected with a DerError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        readAll(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(DerError)
      }
    }),
  )
})
