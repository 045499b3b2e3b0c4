import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareUtf8 } from '../base/index.ts'
import { jsonEquals } from './equals.ts'
import { isExactAsDouble, JsonNumber, numberFromText, numbersEqual } from './json-number.ts'
import { isJsonObject, type JsonValue } from './json-value.ts'
import { canonicalJson, encodeJson } from './stringify.ts'

const value = fc.jsonValue({ depthSize: 'medium' }) as fc.Arbitrary<JsonValue>

describe('jsonEquals', () => {
  it('returns true for a value and its copy', () => {
    fc.assert(fc.property(value, (given) => jsonEquals(given, structuredClone(given))))
  })

  it('returns true exactly when the canonical texts are equal', () => {
    fc.assert(fc.property(value, value, (a, b) => jsonEquals(a, b) === (canonicalJson(a) === canonicalJson(b))))
  })

  const cases: readonly [a: JsonValue, b: JsonValue, equal: boolean][] = [
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: null }, {}, false],
    [{}, [], false],
    [[1, 2], [2, 1], false],
    [new JsonNumber('9007199254740993'), new JsonNumber('9007199254740993.0'), true],
    [new JsonNumber('9007199254740993'), 9007199254740992, false],
    [new JsonNumber('1e400'), '1e400', false],
    [{}, { toString: 1 }, false],
    [{ toString: 1 }, {}, false],
    [0, null, false],
  ]
  it.each(cases)('%j and %j: %s', (a, b, equal) => expect(jsonEquals(a, b)).toBe(equal))
})

describe('numbers', () => {
  it('are plain when a double has the same decimal value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => isExactAsDouble(String(number))),
    )
    expect(numberFromText('100000000000000000000')).toBe(1e20)
    expect(numberFromText('100000000000000000001')).toBeInstanceOf(JsonNumber)
  })

  it('compare by value in either representation', () => {
    expect(numbersEqual(1, new JsonNumber('1.0'))).toBe(true)
    expect(numbersEqual(new JsonNumber('1e400'), new JsonNumber('10e399'))).toBe(true)
    expect(numbersEqual(new JsonNumber('-1e400'), new JsonNumber('1e400'))).toBe(false)
  })

  it('with a million digits are parsed in linear time', () => {
    const text = `1${'0'.repeat(1_000_000)}1.${'0'.repeat(1_000_000)}1`
    const before = performance.now()
    expect(numberFromText(text)).toBeInstanceOf(JsonNumber)
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})

it('isJsonObject returns false for null, lists and JsonNumber', () => {
  expect([{}, null, [], new JsonNumber('1e400'), 'a'].map(isJsonObject)).toEqual([true, false, false, false, false])
})

it('compareUtf8 orders strings by their UTF-8 bytes', () => {
  const bytes = (text: string) => encodeJson(text).join()
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const encoder = new TextEncoder()
      expect(Math.sign(compareUtf8(a, b))).toBe(compareBytes(encoder.encode(a), encoder.encode(b)))
    }),
  )
  expect(compareUtf8('\u{1F600}', '\uFF5E')).toBeGreaterThan(0)
  expect(bytes('a')).toBe('34,97,34')
})

it('canonicalJson sorts keys in byte order at every depth', () => {
  expect(canonicalJson({ b: [{ z: 1, a: new JsonNumber('1e400') }], a: null })).toBe(
    '{"a":null,"b":[{"a":1e400,"z":1}]}',
  )
})

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return Math.sign(a[index]! - b[index]!)
  }
  return Math.sign(a.length - b.length)
}
