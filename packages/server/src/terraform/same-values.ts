import {
  Decimal,
  isList,
  isObject,
  isUnknown,
  sameType,
  Typed,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { isNull } from './parts.ts'

/** True when two values are equal. Refinements of unknown values and types of nulls are ignored. */
export function sameValues(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a === null || b === null) return isNull(a) && isNull(b)
  if (typeof a !== 'object' || typeof b !== 'object') return false
  if (a instanceof Decimal) return b instanceof Decimal && a.equals(b)
  if (isUnknown(a)) return isUnknown(b)
  if (a instanceof Typed) return b instanceof Typed && sameType(a.type, b.type) && sameValues(a.value, b.value)
  if (isList(a)) return isList(b) && sameLists(a, b)
  return isObject(b) && isObject(a) && sameObjects(a, b)
}

function sameLists(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!sameValues(a[i]!, b[i]!)) return false
  return true
}

function sameObjects(a: ValueObject, b: ValueObject): boolean {
  let count = 0
  for (const name in a) {
    const other = b[name]
    if (other === undefined || !sameValues(a[name]!, other)) return false
    count++
  }
  for (const _ in b) count--
  return count === 0
}
