import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'

/** A copy of an object that defaults may write into. */
export type Draft = JsonObject

/** A deep copy; numbers kept as text are shared, since they never change. */
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

/** Sets a text that is absent, null or empty, as Go tells a string that is not set. */
export function fillText(object: Draft, field: string, value: string): void {
  if (object[field] === undefined || object[field] === null || object[field] === '') object[field] = value
}

/** The object in a field; an empty one that is not part of the draft when there is none. */
export function inside(object: Draft, ...fields: string[]): Draft {
  let value: JsonValue | undefined = object
  for (const field of fields) value = isJsonObject(value) ? value[field] : undefined
  return isJsonObject(value) ? value : {}
}

/** The object in a field, put there when there is none. */
export function ensure(object: Draft, field: string): Draft {
  const value = object[field]
  if (isJsonObject(value)) return value
  const made: Draft = {}
  object[field] = made
  return made
}

/** The objects of a list; none when there is no list. */
export function items(object: Draft, ...fields: string[]): Draft[] {
  const value = inside(object, ...fields.slice(0, -1))[fields.at(-1)!]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Whether a field has a value. */
export function has(object: Draft, field: string): boolean {
  return object[field] !== undefined && object[field] !== null
}
