import { Decimal } from './decimal.ts'
import { boolType, dynamicType, numberType, objectType, stringType, type Type, tupleType } from './type.ts'
import { isUnknown } from './unknown.ts'
import { isList, isObject, Typed, type Value } from './value.ts'

/** The type that a bare value has by itself, as a literal in a configuration: lists are tuples, maps are objects. */
export function typeOf(value: Value): Type {
  if (value === null || isUnknown(value)) return dynamicType
  if (typeof value === 'string') return stringType
  if (typeof value === 'boolean') return boolType
  if (value instanceof Decimal) return numberType
  if (value instanceof Typed) return value.type
  if (isList(value)) return tupleType(value.map(typeOf))
  return isObject(value) ? objectType(mapped(value)) : dynamicType
}

function mapped(value: Readonly<Record<string, Value>>): Map<string, Type> {
  return new Map(Object.entries(value).map(([name, part]) => [name, typeOf(part)]))
}
