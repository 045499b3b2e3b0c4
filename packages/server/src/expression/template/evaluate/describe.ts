import { isUnknown } from '@hykube/tfplugin/value'
import { isNumber } from './numbers.ts'
import { withoutType } from './run.ts'

/** Names the type of a value for messages: `a string`, `null`. Never shows the value, which may be sensitive. */
export function describe(given: unknown): string {
  const value = withoutType(given)
  if (value === null) return 'null'
  if (isUnknown(value)) return 'a value known only after apply'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'boolean') return 'a bool'
  if (isNumber(value)) return 'a number'
  if (Array.isArray(value)) return 'a list'
  return isMapping(value) ? 'a map' : 'a value of another type'
}

/** Narrows a value to a Map or a plain object. */
export function isMapping(value: unknown): value is ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (value instanceof Map) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  // Objects of provider values (emptyObject) have a prototype whose own prototype is null; library results are plain objects.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** The keys of a map or object. */
export function keysOf(value: ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>): unknown[] {
  return value instanceof Map ? [...value.keys()] : Object.keys(value)
}

/** The value of a key; undefined if it is absent. */
export function memberOf(
  value: ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>,
  key: unknown,
): unknown {
  if (value instanceof Map) return value.get(key)
  return typeof key === 'string' && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined
}
