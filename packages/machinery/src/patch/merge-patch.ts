import { isJsonObject, type JsonObject, type JsonValue, jsonTypeOf, setOwn } from '../json/index.ts'
import { malformedPatch } from './patch-failure.ts'

/**
 * Applies a JSON merge patch (RFC 7386); null removes a field. The document is not modified, and the result shares the
 * unchanged parts with it. Throws `StatusError` BadRequest for a patch that is not an object.
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonObject {
  if (!isJsonObject(patch))
    throw malformedPatch(
      `error decoding patch: json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type map[string]interface {}`,
    )
  return mergeObjects(document, patch)
}

/** Returns a value without the null fields of its objects, at every depth. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const result: JsonObject = {}
  for (const key of Object.keys(value)) if (value[key] !== null) setOwn(result, key, withoutNulls(value[key]!))
  return result
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  let result: JsonObject | undefined
  for (const key of Object.keys(patch)) {
    const before = Object.hasOwn(document, key) ? document[key] : undefined
    const after = patch[key] === null ? undefined : mergeValue(before, patch[key]!)
    if (after === before) continue
    result ??= { ...document }
    if (after === undefined) delete result[key]
    else setOwn(result, key, after)
  }
  return result ?? document
}

function mergeValue(before: JsonValue | undefined, patch: JsonValue): JsonValue {
  // As in kube-apiserver, nulls are dropped from a value that replaces a scalar or list, but kept in one that replaces an object.
  if (!isJsonObject(before)) return withoutNulls(patch)
  return isJsonObject(patch) ? mergeObjects(before, patch) : patch
}
