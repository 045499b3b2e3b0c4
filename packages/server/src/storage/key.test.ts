import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareKeys, decodeKey, encodeKey, keyRangeEnd } from './key.ts'

const hostile = fc.constantFrom(
  '',
  '\0',
  '\0\x01',
  '\x01',
  '\0\xff',
  '\xff',
  'a',
  'a\0',
  'a\0b',
  'ab',
  '/',
  '..',
  'ÿ',
  '😀',
  '\u{10ffff}',
)
const segment = fc.oneof(
  hostile,
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.array(hostile, { maxLength: 3 }).map((parts) => parts.join('')),
)
const segments = fc.array(segment, { minLength: 1, maxLength: 5 })

describe('encodeKey', () => {
  test('round trips any text', () => {
    fc.assert(
      fc.property(segment, segments, (space, parts) => {
        expect(decodeKey(encodeKey(space, parts))).toEqual({ space, segments: parts })
      }),
    )
  })

  test('orders keys like their segments by UTF-8 bytes', () => {
    fc.assert(
      fc.property(segments, segments, (a, b) => {
        expect(Math.sign(compareKeys(encodeKey('s', a), encodeKey('s', b)))).toBe(compareTuples(a, b))
      }),
      { numRuns: 500 },
    )
  })

  test('gives each prefix a range with exactly the keys that begin with its segments', () => {
    fc.assert(
      fc.property(segments, segments, (prefix, parts) => {
        const lower = encodeKey('s', prefix)
        const key = encodeKey('s', parts)
        const inside = compareKeys(key, lower) >= 0 && compareKeys(key, keyRangeEnd(lower)) < 0
        expect(inside).toBe(prefix.every((wanted, at) => parts[at] === wanted))
      }),
      { numRuns: 500 },
    )
  })

  test('separates a space from another whose name begins with its name', () => {
    const lower = encodeKey('ab', [])
    const neighbour = encodeKey('abc', ['x'])
    expect(compareKeys(neighbour, keyRangeEnd(lower))).toBeGreaterThanOrEqual(0)
  })

  test('rejects text without UTF-8 form, which would collide', () => {
    expect(() => encodeKey('s', ['\ud800'])).toThrow(expect.objectContaining({ failure: 'invalid' }))
  })
})

describe('decodeKey', () => {
  test.each([[[]], [[0x61]], [[0x61, 0x00]], [[0x61, 0x00, 0x02]], [[0x61, 0x00, 0x01, 0x62]]])(
    'rejects %j',
    (bytes) => {
      expect(() => decodeKey(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ failure: 'invalid' }))
    },
  )
})

function compareTuples(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = Buffer.compare(Buffer.from(a[at]!), Buffer.from(b[at]!))
    if (order !== 0) return order
  }
  return Math.sign(a.length - b.length)
}
