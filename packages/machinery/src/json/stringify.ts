import { compareUtf8 } from '../base/index.ts'
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from './json-value.ts'

/** Encodes a value as JSON text; a JsonNumber is written verbatim. */
export function stringifyJson(value: JsonValue): string {
  return JSON.stringify(value)
}

/** Encodes a value as the UTF-8 bytes of its JSON text. */
export function encodeJson(value: JsonValue): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** Encodes a value with its keys in byte order at every depth, so that equal values have equal text. */
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
