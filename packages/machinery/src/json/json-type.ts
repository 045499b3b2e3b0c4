import { isJsonObject, type JsonValue } from './json-value.ts'

/** Returns the type of a value as Go's JSON decoder names it in its errors. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return isJsonObject(value) ? 'object' : 'number'
}
