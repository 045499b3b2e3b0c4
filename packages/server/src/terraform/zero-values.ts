import {
  Decimal,
  isList,
  isObject,
  type Type,
  type Value,
  type ValueList,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { sameValues } from './same-values.ts'

/**
 * Returns true for equal values, where null equals the zero value of its type at any depth: the empty string, 0, false, an empty
 * collection, an object of zero values. Providers of the legacy type system return either of them for a value that is not set.
 */
export function equalsUpToZero(type: Type, a: Value, b: Value): boolean {
  if (isZero(type, a) && isZero(type, b)) return true
  if (isList(a) && isList(b)) {
    if (type.kind === 'list') return sameLists(type.element, a, b)
    if (type.kind === 'set') return sameSets(type.element, a, b)
  }
  if (isObject(a) && isObject(b)) {
    if (type.kind === 'map') return sameMaps(type.element, a, b)
    if (type.kind === 'object')
      return [...type.attributes].every(([name, part]) => equalsUpToZero(part, a[name] ?? null, b[name] ?? null))
  }
  return sameValues(a, b)
}

/** Returns true for null and for the zero value of a type. */
export function isZero(type: Type, value: Value): boolean {
  if (value === null || value === '' || value === false) return true
  if (value instanceof Decimal) return value.equals(Decimal.zero)
  if (isList(value)) return value.length === 0
  if (!isObject(value)) return false
  if (type.kind === 'object') return [...type.attributes].every(([name, part]) => isZero(part, value[name] ?? null))
  return Object.keys(value).length === 0
}

function sameLists(element: Type, a: ValueList, b: ValueList): boolean {
  return a.length === b.length && a.every((part, i) => equalsUpToZero(element, part, b[i]!))
}

// The canonical order of a set depends on nulls inside of its elements, so elements are paired by value.
function sameSets(element: Type, a: ValueList, b: ValueList): boolean {
  if (a.length !== b.length) return false
  const left = [...b]
  return a.every((part) => {
    const index = left.findIndex((other) => equalsUpToZero(element, part, other))
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  })
}

// A key of a map counts even when its value is zero: users write keys, the schema does not list them.
function sameMaps(element: Type, a: ValueObject, b: ValueObject): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && equalsUpToZero(element, a[key]!, b[key]!))
}
