import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'

/** A mutable copy of an object, into which defaults are written. */
export type Draft = JsonObject

/** Deep copy. JsonNumber instances are immutable and shared. */
export function copyJson<T extends JsonValue>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as T
  if (!isJsonObject(value)) return value
  const copy: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: copyJson(item), writable: true, enumerable: true, configurable: true })
    else copy[key] = copyJson(item)
  }
  return copy as T
}

/** Sets a field that is absent or null. */
export function fill(object: Draft, field: string, value: JsonValue): void {
  if (object[field] === undefined || object[field] === null) object[field] = value
}

/**
 * Sets a string field that is absent, null or empty, because Go does not distinguish an unset string from an empty one.
 */
export function fillText(object: Draft, field: string, value: string): void {
  if (object[field] === undefined || object[field] === null || object[field] === '') object[field] = value
}

/** Returns the object at a path of fields; an empty object, detached from the draft, when there is none. */
export function inside(object: Draft, ...fields: string[]): Draft {
  let value: JsonValue | undefined = object
  for (const field of fields) value = isJsonObject(value) ? value[field] : undefined
  return isJsonObject(value) ? value : {}
}

/** Returns the object in a field, which is created when absent. */
export function ensure(object: Draft, field: string): Draft {
  const value = object[field]
  if (isJsonObject(value)) return value
  const made: Draft = {}
  object[field] = made
  return made
}

/** Returns the objects of a list at a path; empty when there is no list. */
export function items(object: Draft, ...fields: string[]): Draft[] {
  const value = inside(object, ...fields.slice(0, -1))[fields.at(-1)!]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Returns true when a field is set and not null. */
export function has(object: Draft, field: string): boolean {
  return object[field] !== undefined && object[field] !== null
}
