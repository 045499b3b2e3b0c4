import { compareUtf8, isJsonObject, type JsonValue } from '../json/index.ts'

/** A value as Go prints it (`%v`), because messages of Kubernetes hold it: `map[a:1 b:[x y]]`. */
export function goText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isJsonObject(value)) return String(value)
  const fields = Object.keys(value).sort(compareUtf8)
  return `map[${fields.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`
}

/** The Go type that a value is decoded to, as messages name it. */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return '%!s(<nil>)'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return isJsonObject(value) ? 'map[string]interface {}' : 'float64'
}
