import { emptyObject, type Value } from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TypeMismatchError } from './type-mismatch.ts'
import { valueType } from './value-type.ts'

const texts = valueType.map(valueType.string)

test('a map round-trips with any keys', () => {
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

test('rejects a map with a wrong element and reports its path', () => {
  const value: Record<string, Value> = Object.assign(emptyObject(), { a: 'x', b: true })
  expect(() => texts.read(value)).toThrow(new TypeMismatchError('a string is required', ['b']))
  const places = [() => texts.read(value), () => texts.write(value as never)].map(placeOf)
  expect(places).toEqual([['b'], ['b']])
})

function placeOf(body: () => unknown): unknown {
  try {
    return body()
  } catch (error) {
    return (error as TypeMismatchError).place
  }
}
