import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { invalidValue, requiredValue, unsupportedValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'

/** A field that must stay as it was. */
export function unchanged(field: string, now: JsonValue | undefined, before: JsonValue | undefined): StatusCause[] {
  return jsonEquals(now ?? null, before ?? null) ? [] : [invalidValue(field, now ?? null, 'field is immutable')]
}

/** A text that must be there. */
export function present(field: string, value: unknown, detail = ''): StatusCause[] {
  return typeof value === 'string' && value !== '' ? [] : [requiredValue(field, detail)]
}

/** A number that may not be below zero. */
export function notNegative(field: string, value: unknown): StatusCause[] {
  return typeof value === 'number' && value < 0
    ? [invalidValue(field, value, 'must be greater than or equal to 0')]
    : []
}

/** A text out of a list; an absent one is none of this check's business. */
export function oneOf(field: string, value: unknown, supported: readonly string[]): StatusCause[] {
  if (value === undefined || value === null || supported.includes(value as string)) return []
  return [unsupportedValue(field, value, supported)]
}

/** A port number. */
export function validPort(field: string, value: unknown): StatusCause[] {
  if (typeof value === 'number' && value >= 1 && value <= 65535) return []
  return [invalidValue(field, value ?? 0, 'must be between 1 and 65535, inclusive')]
}

/** The text in a field, empty when it is no text. */
export function textOf(object: JsonObject, field: string): string {
  const value = object[field]
  return typeof value === 'string' ? value : ''
}
