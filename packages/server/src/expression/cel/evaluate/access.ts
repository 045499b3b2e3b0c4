import { isNumeric, valueOfKey } from './equality.ts'
import { EvaluationFailure, noSuchOverload, Optional, StructValue, Uint } from './values.ts'

/** Evaluates `value.key` or `value[key]`. Access to an optional value gives an optional result. */
export function access(value: unknown, key: unknown): unknown {
  if (value instanceof Optional) return value.hasValue() ? accessOptional(value.value(), key) : value
  if (Array.isArray(value)) return itemOf(value, key)
  const part = partOf(value, key)
  if (part === undefined) throw new EvaluationFailure(`no such key: ${keyText(key)}`)
  return part
}

/** Evaluates `value.?key` or `value[?key]`: `optional.none()` if the key is absent. */
export function accessOptional(value: unknown, key: unknown): unknown {
  if (value instanceof Optional) return value.hasValue() ? accessOptional(value.value(), key) : value
  if (Array.isArray(value)) {
    const at = indexOf(key)
    if (at === undefined) throw noSuchOverload()
    return at < 0 || at >= value.length ? Optional.none() : Optional.of(value[at])
  }
  const part = partOf(value, key)
  return part === undefined ? Optional.none() : Optional.of(part)
}

/** Evaluates `has(value.field)`. */
export function hasField(value: unknown, field: string): boolean {
  if (value instanceof Optional) return value.hasValue() && hasField(value.value(), field)
  return partOf(value, field) !== undefined
}

function partOf(value: unknown, key: unknown): unknown {
  if (value instanceof StructValue) return typeof key === 'string' ? value.get(key) : undefined
  if (value instanceof Map) return valueOfKey(value, key)
  if (value === null) throw new EvaluationFailure(`no such key: ${keyText(key)}`)
  throw noSuchOverload()
}

function itemOf(list: readonly unknown[], key: unknown): unknown {
  const at = indexOf(key)
  if (at === undefined)
    throw isNumeric(key) ? new EvaluationFailure(`unsupported index value: ${String(key)}`) : noSuchOverload()
  if (at < 0 || at >= list.length) throw new EvaluationFailure(`index out of bounds: ${at}`)
  return list[at]
}

function indexOf(key: unknown): number | undefined {
  if (typeof key === 'bigint') return Number(key)
  if (key instanceof Uint) return Number(key.value)
  return typeof key === 'number' && Number.isInteger(key) ? key : undefined
}

function keyText(key: unknown): string {
  return key instanceof Uint ? String(key.value) : String(key)
}
