import { isUnknown } from '@hykube/tfplugin/value'
import { isNumber } from './numbers.ts'
import { bare } from './run.ts'

/** What something is, for messages: `a string`, `null`. Never the value itself, which may be sensitive. */
export function describe(given: unknown): string {
  const value = bare(given)
  if (value === null) return 'null'
  if (isUnknown(value)) return 'a value that is not known yet'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'boolean') return 'a bool'
  if (isNumber(value)) return 'a number'
  if (Array.isArray(value)) return 'a list'
  return isMapping(value) ? 'a map' : 'a value of another kind'
}

/** Whether something has members by name or key. */
export function isMapping(value: unknown): value is ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (value instanceof Map) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  // Objects of values have a prototype of their own without one; what the library makes of maps are plain objects.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** The keys of a mapping. */
export function keysOf(value: ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>): unknown[] {
  return value instanceof Map ? [...value.keys()] : Object.keys(value)
}

/** The member of a mapping; undefined when there is none. */
export function memberOf(
  value: ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>,
  key: unknown,
): unknown {
  if (value instanceof Map) return value.get(key)
  return typeof key === 'string' && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined
}
