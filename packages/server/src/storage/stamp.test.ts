import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stampValue } from './stamp.ts'

test('inserts the digits of the revision', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 20 }),
      fc.nat(),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      (value, place, revision) => {
        const at = place % (value.length + 1)
        const expected = Buffer.concat([value.subarray(0, at), Buffer.from(String(revision)), value.subarray(at)])
        expect(Buffer.from(stampValue(value, at, revision))).toEqual(expected)
        expect(stampValue(value, at, revision, Buffer.alloc(50, 1))).toEqual(expected)
      },
    ),
  )
})

test('returns a value without a stamp uncopied', () => {
  const value = Buffer.from('x')
  expect(stampValue(value, undefined, 7)).toBe(value)
})
