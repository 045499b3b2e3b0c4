import fc from 'fast-check'
import { Decimal } from '../decimal.ts'
import { canonicalSet } from '../set-order.ts'
import {
  boolType,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
  tupleType,
} from '../type.ts'
import { unknown } from '../unknown.ts'
import { emptyObject, Typed, type Value, valueObject } from '../value.ts'

/** Decimals of all sizes: safe integers, 200-bit integers, doubles, and numbers with exponents. */
export const anyDecimal: fc.Arbitrary<Decimal> = fc.oneof(
  fc.integer().map((value) => Decimal.fromInteger(value)),
  fc.maxSafeInteger().map((value) => Decimal.fromInteger(value)),
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }).map((value) => Decimal.fromInteger(value)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => Decimal.fromNumber(value)!),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: -40, max: 40 }))
    .map(([digits, exponent]) => Decimal.parse(`${digits}e${exponent}`)!),
)

/** Strings in NFC, the form in which values hold them. */
export const anyText: fc.Arbitrary<string> = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((text) => text.toWellFormed().normalize('NFC'))

/** Types up to a depth. Collection elements contain no dynamic types, because all elements must have one type. */
export function anyType(depth = 3): fc.Arbitrary<Type> {
  const leaf = fc.constantFrom<Type>(stringType, numberType, boolType, dynamicType)
  if (depth === 0) return leaf
  const inner = anyType(depth - 1)
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    { weight: 1, arbitrary: plainType(depth - 1).map(listType) },
    { weight: 1, arbitrary: plainType(depth - 1).map(setType) },
    { weight: 1, arbitrary: plainType(depth - 1).map(mapType) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map(tupleType) },
    { weight: 2, arbitrary: fc.dictionary(anyText, inner, { maxKeys: 4 }).map((entries) => objectType(entries)) },
  )
}

/** Values of a type, with unknowns only if requested. */
export function anyValue(type: Type, unknowns: boolean): fc.Arbitrary<Value> {
  const present = presentValue(type, unknowns)
  return fc.oneof(
    { weight: 8, arbitrary: present },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: unknowns ? 1 : 0, arbitrary: fc.constant(unknown) },
  )
}

/** A type together with a value of it. */
export function anyTypedValue(unknowns: boolean): fc.Arbitrary<{ readonly type: Type; readonly value: Value }> {
  return anyType().chain((type) => anyValue(type, unknowns).map((value) => ({ type, value })))
}

function plainType(depth: number): fc.Arbitrary<Type> {
  return anyType(depth).filter((type) => !JSON.stringify(type, mapsAsArrays).includes('"dynamic"'))
}

function mapsAsArrays(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}

function presentValue(type: Type, unknowns: boolean): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'string':
      return anyText
    case 'number':
      return anyDecimal
    case 'bool':
      return fc.boolean()
    case 'list':
      return fc.array(anyValue(type.element, unknowns), { maxLength: 4 })
    case 'set':
      return fc
        .array(anyValue(type.element, unknowns), { maxLength: 4 })
        .map((elements) => canonicalSet(elements, type.element))
    case 'map':
      return fc.dictionary(anyText, anyValue(type.element, unknowns), { maxKeys: 4 }).map((of) => valueObject(of))
    case 'tuple':
      return fc.tuple(...type.elements.map((element) => anyValue(element, unknowns)))
    case 'object':
      return fc
        .tuple(
          ...[...type.attributes].map(([name, of]) => anyValue(of, unknowns).map((value) => [name, value] as const)),
        )
        .map((entries) => {
          const object = emptyObject()
          for (const [name, value] of entries) object[name] = value
          return object
        })
    case 'dynamic':
      return plainType(1).chain((inner) =>
        presentValue(inner, unknowns).map((value) => new Typed(inner, value as Exclude<Value, Typed>)),
      )
  }
}
