// Constructors for field errors with the messages of Kubernetes' field package.

import type { CauseType, StatusCause } from '../status/index.ts'

/** `Invalid value: "x": <detail>`: a value that is malformed or out of bounds. */
export function invalidValue(field: string, value: unknown, detail: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: withDetail(`Invalid value: ${quoted(value)}`, detail), field }
}

/** `Invalid value: "x": <detail>`: a value of the wrong type. */
export function invalidType(field: string, value: unknown, detail: string): StatusCause {
  return { reason: 'FieldValueTypeInvalid', message: withDetail(`Invalid value: ${quoted(value)}`, detail), field }
}

/** `Required value: <detail>` */
export function requiredValue(field: string, detail = ''): StatusCause {
  return cause('FieldValueRequired', 'Required value', field, detail)
}

/** `Duplicate value: "x"` */
export function duplicateValue(field: string, value: unknown): StatusCause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${quoted(value)}`, field }
}

/** `Unsupported value: "x": supported values: "a", "b"` */
export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): StatusCause {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map((each) => quoted(each)).join(', ')}`
  return { reason: 'FieldValueNotSupported', message: withDetail(`Unsupported value: ${quoted(value)}`, detail), field }
}

/** `Forbidden: <detail>`: a value that is well-formed but not allowed in this situation. */
export function forbiddenValue(field: string, detail: string): StatusCause {
  return cause('FieldValueForbidden', 'Forbidden', field, detail)
}

/** `Not found: "x"` */
export function valueNotFound(field: string, value: unknown): StatusCause {
  return { reason: 'FieldValueNotFound', message: `Not found: ${quoted(value)}`, field }
}

/** `Too long: may not be more than <maximum> bytes` */
export function tooLong(field: string, maximum: number): StatusCause {
  return cause('FieldValueTooLong', 'Too long', field, `may not be more than ${maximum} bytes`)
}

/** `Too many: <actual>: must have at most <maximum> items` */
export function tooMany(field: string, actual: number, maximum: number): StatusCause {
  const items = maximum === 1 ? 'item' : 'items'
  return cause('FieldValueTooMany', `Too many: ${actual}`, field, `must have at most ${maximum} ${items}`)
}

function cause(reason: CauseType, title: string, field: string, detail: string): StatusCause {
  return { reason, message: withDetail(title, detail), field }
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`
}

/**
 * Formats a value for a message, shortened when it is long. Go formats objects and lists as JSON, whose encoder escapes <, >
 * and &; strings are formatted with %q, which does not.
 */
export function quoted(value: unknown): string {
  if (typeof value === 'string' && value.length > mostShown) return `${JSON.stringify(value.slice(0, mostShown))}...`
  const text = JSON.stringify(value ?? null)
  const shown = text.length > mostShown ? `${text.slice(0, mostShown)}...` : text
  return typeof value === 'object' ? shown.replace(/[<>&]/g, (sign) => escapes[sign]!) : shown
}

// Characters of a value in a message. A status has up to 100 messages.
const mostShown = 10_000

const escapes: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }
