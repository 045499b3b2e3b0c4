import { Decimal, isUnknown, unknown } from '@hykube/tfplugin/value'
import { EvaluationFailure, Optional } from '../../cel/evaluate/values.ts'
import { describe, isMapping, memberOf } from './describe.ts'
import { withoutType } from './run.ts'

/** Evaluates `value.key` or `value[key]`. Access to an optional gives an optional. Fails if the key is absent. */
export function access(given: unknown, key: unknown): unknown {
  const value = withoutType(given)
  if (value instanceof Optional) return accessOptional(value, key)
  const part = partOf(value, withoutType(key))
  if (part === undefined) throw new EvaluationFailure(noSuch(value, withoutType(key)))
  return part
}

/** Evaluates `value.?key` or `value[?key]`: none if the key is absent or its value is null. */
export function accessOptional(given: unknown, key: unknown): unknown {
  const value = withoutType(given)
  if (value instanceof Optional) return value.hasValue() ? accessOptional(value.value(), key) : value
  if (value === null) return Optional.none()
  const part = withoutType(partOf(value, withoutType(key)))
  if (isUnknown(part)) return part
  return part === undefined || part === null ? Optional.none() : Optional.of(part)
}

/** Applies a function to a value or, behind `depth` splats, to each element of lists nested that deep. */
export function project(given: unknown, depth: number, change: (value: unknown) => unknown): unknown {
  if (depth === 0) return change(given)
  const value = withoutType(given)
  if (isUnknown(value)) return unknown
  return splatted(value).map((element) => project(element, depth - 1, change))
}

/** The elements for `[*]`, as in Terraform: none for null, the value itself if it is not a list. */
export function splatted(given: unknown): readonly unknown[] {
  const value = withoutType(given)
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
  throw new EvaluationFailure(`${describe(value)} has no attributes or elements`)
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
