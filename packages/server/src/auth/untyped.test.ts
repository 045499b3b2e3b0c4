import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sameJson } from './untyped.ts'

test('JSON is equal to itself after a round trip', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = JSON.parse(JSON.stringify(value)) as unknown
      expect(sameJson(copy, JSON.parse(JSON.stringify(copy)))).toBe(true)
    }),
  )
})

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, Object.assign(Object.create(null), { a: 1 }), true],
  [{ a: undefined }, { b: undefined }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ['1', 1, false],
])('%j and %j: %s', (a, b, same) => {
  expect(sameJson(a, b)).toBe(same)
})
