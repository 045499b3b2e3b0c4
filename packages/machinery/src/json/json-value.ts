import { JsonNumber } from './json-number.ts'

/** A parsed JSON value. */
export type JsonValue = null | boolean | number | string | JsonNumber | JsonValue[] | JsonObject

/** A JSON object. Its keys come from users and may be `__proto__` or `toString`: use `getOwn` and `setOwn` on them. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** Returns false for null, lists and JsonNumber, which are objects in JavaScript but not in JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** Returns the object's own value of a key, ignoring what it inherits from its prototype. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets an own key; also `__proto__`, whose plain assignment would replace the prototype instead. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}
