import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { invalidValue, requiredValue, unsupportedValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'

/** Rejects a change of an immutable field. */
export function unchanged(field: string, now: JsonValue | undefined, before: JsonValue | undefined): StatusCause[] {
  return jsonEquals(now ?? null, before ?? null) ? [] : [invalidValue(field, now ?? null, 'field is immutable')]
}

/** Rejects an absent or empty string. */
export function present(field: string, value: unknown, detail = ''): StatusCause[] {
  return typeof value === 'string' && value !== '' ? [] : [requiredValue(field, detail)]
}

/** Rejects a negative number. */
export function notNegative(field: string, value: unknown): StatusCause[] {
  return typeof value === 'number' && value < 0
    ? [invalidValue(field, value, 'must be greater than or equal to 0')]
    : []
}

/** Rejects an unsupported value; absent values pass. */
export function oneOf(field: string, value: unknown, supported: readonly string[]): StatusCause[] {
  if (value === undefined || value === null || supported.includes(value as string)) return []
  return [unsupportedValue(field, value, supported)]
}

/** Rejects an invalid port number. */
export function validPort(field: string, value: unknown): StatusCause[] {
  if (typeof value === 'number' && value >= 1 && value <= 65535) return []
  return [invalidValue(field, value ?? 0, 'must be between 1 and 65535, inclusive')]
}

/** Returns the string in a field; empty when it is not a string. */
export function textOf(object: JsonObject, field: string): string {
  const value = object[field]
  return typeof value === 'string' ? value : ''
}
