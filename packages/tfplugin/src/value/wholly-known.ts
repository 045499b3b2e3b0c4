import { isUnknown } from './unknown.ts'
import { isList, isObject, Typed, type Value } from './value.ts'

/** Returns true when neither the value nor any part of it is unknown. */
export function isWhollyKnown(value: Value): boolean {
  if (value === null || typeof value !== 'object') return true
  if (isUnknown(value)) return false
  if (value instanceof Typed) return isWhollyKnown(value.value)
  if (isList(value)) return value.every(isWhollyKnown)
  if (!isObject(value)) return true
  for (const name of Object.keys(value)) if (!isWhollyKnown(value[name]!)) return false
  return true
}
