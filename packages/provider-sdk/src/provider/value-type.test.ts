import { emptyObject, type Value } from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MisfitError } from './misfit.ts'
import { valueType } from './value-type.ts'

const texts = valueType.map(valueType.string)

test('a map comes back as it was given, whatever its keys are', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'))
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.string())), (entries) => {
      const given = Object.fromEntries(entries)
      const written = texts.write(given)
      expect(Object.entries(written as object)).toEqual(Object.entries(given))
      const read = texts.read(written)
      expect(Object.entries(read)).toEqual(Object.entries(given))
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    }),
  )
})

test('a map with something else in it is refused with the place', () => {
  const value: Record<string, Value> = Object.assign(emptyObject(), { a: 'x', b: true })
  expect(() => texts.read(value)).toThrow(new MisfitError('a string is required', ['b']))
  const places = [() => texts.read(value), () => texts.write(value as never)].map(placeOf)
  expect(places).toEqual([['b'], ['b']])
})

function placeOf(body: () => unknown): unknown {
  try {
    return body()
  } catch (error) {
    return (error as MisfitError).place
  }
}
