import { isJsonObject, type JsonObject, type JsonValue, setOwn } from './json-value.ts'
import { compareUtf8 } from './key-order.ts'

/** A value as JSON text; numbers kept as text are written verbatim. */
export function stringifyJson(value: JsonValue): string {
  return JSON.stringify(value)
}

/** A value as the UTF-8 bytes of its JSON text. */
export function encodeJson(value: JsonValue): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** A value as JSON text with its keys in the order of their bytes: equal values give equal text. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(sortKeys(value))
}

const encoder = new TextEncoder()

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  const sorted: JsonObject = {}
  for (const key of Object.keys(value).sort(compareUtf8)) setOwn(sorted, key, sortKeys(value[key]!))
  return sorted
}
