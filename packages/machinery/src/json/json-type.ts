import { isJsonObject, type JsonValue } from './json-value.ts'

/** The type of a value as messages of Go's JSON decoder name it. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return isJsonObject(value) ? 'object' : 'number'
}
