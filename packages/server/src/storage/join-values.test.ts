import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinValues } from './join-values.ts'

test('joins values with commas, empty values included', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 5 })), (values) => {
      const joined = joinValues(values.map((value) => Buffer.from(value)))
      expect(Buffer.from(joined).toString()).toBe(values.join(','))
    }),
  )
})
