import { isJsonObject, type JsonObject, type JsonValue, jsonTypeOf, setOwn } from '../json/index.ts'
import { unreadablePatch } from './patch-failure.ts'

/**
 * A document with a JSON merge patch (RFC 7386) applied to it; null takes a field away. The document stays as it was,
 * and what the patch does not name is shared with it. Throws `StatusError` BadRequest for a patch that is no object.
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonObject {
  if (!isJsonObject(patch))
    throw unreadablePatch(
      `error decoding patch: json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type map[string]interface {}`,
    )
  return mergeObjects(document, patch)
}

/** A value without the nulls that objects in it hold. */
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
  // What replaces something else than an object loses its nulls, what replaces an object keeps them; as in kube-apiserver.
  if (!isJsonObject(before)) return withoutNulls(patch)
  return isJsonObject(patch) ? mergeObjects(before, patch) : patch
}
