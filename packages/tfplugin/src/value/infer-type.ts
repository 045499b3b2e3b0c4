import { Decimal } from './decimal.ts'
import { boolType, dynamicType, numberType, objectType, stringType, type Type, tupleType } from './type.ts'
import { isUnknown, type Unknown } from './unknown.ts'
import { isList, isObject, Typed, type Value, valueObject } from './value.ts'

/** Returns the type of a literal in a configuration: a list is a tuple, a map is an object. */
export function typeOf(value: Value): Type {
  if (value === null || isUnknown(value)) return dynamicType
  if (typeof value === 'string') return stringType
  if (typeof value === 'boolean') return boolType
  if (value instanceof Decimal) return numberType
  if (value instanceof Typed) return value.type
  if (isList(value)) return tupleType(value.map(typeOf))
  return isObject(value) ? objectType(mapped(value)) : dynamicType
}

/** Wraps a value for a dynamic attribute: its inferred type outside, no Typed inside. */
export function typedOf(value: Exclude<Value, null | Unknown>): Typed {
  return value instanceof Typed ? value : new Typed(typeOf(value), untyped(value) as Exclude<Value, Typed>)
}

function untyped(value: Value): Value {
  if (value instanceof Typed) return untyped(value.value)
  if (isList(value)) return value.map(untyped)
  if (!isObject(value)) return value
  return valueObject(Object.entries(value).map(([name, part]): [string, Value] => [name, untyped(part)]))
}

function mapped(value: Readonly<Record<string, Value>>): Map<string, Type> {
  return new Map(Object.entries(value).map(([name, part]) => [name, typeOf(part)]))
}
