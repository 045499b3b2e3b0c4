import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from './decimal.ts'
import { parseJson } from './json-numbers.ts'
import { ValueError } from './value-error.ts'

/** Converts every number of parsed JSON to a Decimal. */
function withDecimals(value: unknown): unknown {
  if (typeof value === 'number') return Decimal.parse(JSON.stringify(value))
  if (Array.isArray(value)) return value.map(withDecimals)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDecimals(part)]))
}

describe('parsing JSON', () => {
  test('returns every number as a Decimal, in any position and with any white space', () => {
    // -0 is written as 0, and assigning `__proto__` sets the prototype instead of a key.
    const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'))
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parseJson(text)).toEqual(withDecimals(JSON.parse(text)))
      }),
    )
  })

  test.each(['1', ' -1', '[1]', '[ \n 1]', '{"a":1}', '{"a" :\r\n -1}', '["a",1]', '["a"\t,\t1]'])(
    'finds the number in %j',
    (text) => {
      const found = [parseJson(text)]
        .flat()
        .flatMap((each) => (each instanceof Decimal ? each : Object.values(each as object)))
      expect(found.some((each) => each instanceof Decimal)).toBe(true)
    },
  )

  test('leaves digits in strings alone', () => {
    expect(parseJson('{"a":"b:1,[2","index":"5"}')).toEqual({ a: 'b:1,[2', index: '5' })
  })

  test.each(['', '{', '{"a":}', '[1', 'nul'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(ValueError)
  })
})
