import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../json/index.ts'
import { badDirective, cleaned, directive } from './directives.ts'
import { inOrder, itemsAreObjects, keyOf, sameKey } from './element-order.ts'
import { failedPatch } from './patch-failure.ts'

/** How an item of a merged list is merged with its change. */
export type MergeItem = (item: JsonObject, change: JsonObject) => JsonObject

/** Two lists merged: scalars as a set, objects by their key. Items of the patch keep its order among each other. */
export function mergeListItems(
  before: JsonValue[],
  patch: JsonValue[],
  mergeKey: string,
  mergeItem: MergeItem,
): JsonValue[] {
  if (before.length === 0 && patch.length === 0) return before
  if (!itemsAreObjects(before, patch)) {
    const all = uniqueScalars([...before, ...patch])
    return inOrder({ items: all, order: patch, serverOrder: before, mergeKey })
  }
  if (mergeKey === '') throw failedPatch('cannot merge lists without merge key for struct')
  const { kept, changes } = obeyDirectives(before as JsonObject[], patch as JsonObject[], mergeKey)
  const merged = mergeByKey(kept, changes, mergeKey, mergeItem)
  return inOrder({ items: merged, order: changes, serverOrder: kept, mergeKey })
}

/** A list of scalars without some of them. */
export function removeScalars(list: JsonValue[], removed: readonly JsonValue[]): JsonValue[] {
  return list.filter((item) => !removed.some((other) => jsonEquals(item, other)))
}

/** Takes out what items of the patch delete, or everything when one of them replaces the list. */
function obeyDirectives(
  before: JsonObject[],
  patch: JsonObject[],
  mergeKey: string,
): { readonly kept: JsonObject[]; readonly changes: JsonObject[] } {
  let kept = before
  let isReplaced = false
  const changes: JsonObject[] = []
  for (const item of patch) {
    if (!Object.hasOwn(item, directive.patch)) {
      changes.push(item)
      continue
    }
    const kind = item[directive.patch]
    if (kind === 'replace') isReplaced = true
    else if (kind === 'delete') {
      const key = keyOf(item, mergeKey)
      kept = kept.filter((other) => !Object.hasOwn(other, mergeKey) || !jsonEquals(other[mergeKey]!, key))
    } else if (kind === 'merge') throw failedPatch('merging lists cannot yet be specified in the patch')
    else throw badDirective(kind, item)
  }
  return isReplaced ? { kept: changes, changes: [] } : { kept, changes }
}

function mergeByKey(
  kept: JsonObject[],
  changes: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): JsonObject[] {
  const merged = [...kept]
  for (const change of changes) {
    keyOf(change, mergeKey)
    const index = merged.findIndex((item) => sameKey(item, change, mergeKey))
    if (index === -1) merged.push(cleaned(change) as JsonObject)
    else merged[index] = mergeItem(merged[index]!, change)
  }
  return merged
}

function uniqueScalars(values: readonly JsonValue[]): JsonValue[] {
  const unique: JsonValue[] = []
  const seen = new Set<JsonValue>()
  for (const value of values) {
    if (isJsonObject(value) ? unique.some((other) => jsonEquals(other, value)) : seen.has(value)) continue
    seen.add(value)
    unique.push(value)
  }
  return unique
}
