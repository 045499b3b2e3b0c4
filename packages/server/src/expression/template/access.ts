import { Decimal, isUnknown, unknown } from '@hykube/tfplugin/value'
import { EvaluationFailure, Optional } from '../cel/values.ts'
import { describe, isMapping, memberOf } from './describe.ts'
import { bare } from './run.ts'

/** `value.key` or `value[key]`. Of an optional it is an optional. Throws EvaluationFailure when there is none. */
export function access(given: unknown, key: unknown): unknown {
  const value = bare(given)
  if (value instanceof Optional) return accessOptional(value, key)
  const part = partOf(value, bare(key))
  if (part === undefined) throw new EvaluationFailure(noSuch(value, bare(key)))
  return part
}

/** `value.?key` or `value[?key]`: none when there is no such part, or it is null. */
export function accessOptional(given: unknown, key: unknown): unknown {
  const value = bare(given)
  if (value instanceof Optional) return value.hasValue() ? accessOptional(value.value(), key) : value
  if (value === null) return Optional.none()
  const part = bare(partOf(value, bare(key)))
  if (isUnknown(part)) return part
  return part === undefined || part === null ? Optional.none() : Optional.of(part)
}

/** Does something to a value, or to the elements of lists in lists, so many deep. */
export function project(given: unknown, depth: number, change: (value: unknown) => unknown): unknown {
  if (depth === 0) return change(given)
  const value = bare(given)
  if (isUnknown(value)) return unknown
  return splatted(value).map((element) => project(element, depth - 1, change))
}

/** What `[*]` makes of a value: null is no element, anything but a list is one. */
export function splatted(given: unknown): readonly unknown[] {
  const value = bare(given)
  if (value === null) return []
  return Array.isArray(value) ? (value as unknown[]) : [value]
}

function partOf(value: unknown, key: unknown): unknown {
  if (isUnknown(value) || isUnknown(key)) return unknown
  if (Array.isArray(value)) {
    const index = indexOf(key)
    return index === undefined ? undefined : (value as unknown[])[index]
  }
  if (isMapping(value)) return memberOf(value, key instanceof Decimal ? key.toBigInt() : key)
  throw new EvaluationFailure(`${describe(value)} has no parts`)
}

function indexOf(key: unknown): number | undefined {
  if (typeof key === 'bigint') return Number(key)
  if (key instanceof Decimal) return key.isInteger ? key.toNumber() : undefined
  return typeof key === 'number' && Number.isInteger(key) ? key : undefined
}

function noSuch(value: unknown, key: unknown): string {
  if (!Array.isArray(value)) return `no such key: ${typeof key === 'object' ? describe(key) : String(key)}`
  const index = indexOf(key)
  return index === undefined ? `a list has no element ${describe(key)}` : `index out of bounds: ${index}`
}
