import { compareUtf8 } from '../base/index.ts'
import { isJsonObject, type JsonValue } from '../json/index.ts'

/** Formats a value like Go's `%v`, which Kubernetes uses in messages: `map[a:1 b:[x y]]`. */
export function goText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isJsonObject(value)) return String(value)
  const fields = Object.keys(value).sort(compareUtf8)
  return `map[${fields.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`
}

/** Returns the name of the Go type that a value is decoded into, for messages. */
export function goTypeOf(value: JsonValue): string {
  // Go's output for %s of a nil type, reproduced because the messages are compared.
  if (value === null) return '%!s(<nil>)'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return isJsonObject(value) ? 'map[string]interface {}' : 'float64'
}
