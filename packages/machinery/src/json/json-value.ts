import { JsonNumber } from './json-number.ts'

/** What a JSON document holds once it is read. */
export type JsonValue = null | boolean | number | string | JsonNumber | JsonValue[] | JsonObject

/** A JSON object. Keys are the user's: look them up with `Object.hasOwn` and set them with `setOwn`. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** Whether a value is a JSON object, and neither null, a list nor a number kept as text. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** The value of a key of the object itself; undefined when it has none, whatever its prototype has. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets a key of the object itself, also the one key that an assignment would take for the prototype. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}
