import type { JsonObject, JsonValue } from '../json/index.ts'
import { badDirective, cleaned, directive } from './directives.ts'
import { inOrder, itemsAreObjects, keyOf } from './element-order.ts'
import { failedPatch } from './patch-failure.ts'

/** Merges an item of a list with its patch. */
export type MergeItem = (item: JsonObject, change: JsonObject) => JsonObject

/** Merges two lists: scalars as a set, objects by their merge key. Items of the patch keep their relative order. */
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
  const { kept, changes } = applyItemDirectives(before as JsonObject[], patch as JsonObject[], mergeKey)
  const merged = mergeByKey(kept, changes, mergeKey, mergeItem)
  return inOrder({ items: merged, order: changes, serverOrder: kept, mergeKey })
}

/** Returns a list of scalars without the given ones. */
export function removeScalars(list: JsonValue[], removed: readonly JsonValue[]): JsonValue[] {
  const identities = new Set(removed.map(identityOf))
  return list.filter((item) => !identities.has(identityOf(item)))
}

/** Removes the items that the patch deletes, or all of them when an item has `$patch: replace`. */
function applyItemDirectives(
  before: JsonObject[],
  patch: JsonObject[],
  mergeKey: string,
): { readonly kept: JsonObject[]; readonly changes: JsonObject[] } {
  const deleted = new Set<string>()
  let isReplaced = false
  const changes: JsonObject[] = []
  for (const item of patch) {
    if (!Object.hasOwn(item, directive.patch)) {
      changes.push(item)
      continue
    }
    const kind = item[directive.patch]
    if (kind === 'replace') isReplaced = true
    else if (kind === 'delete') deleted.add(identityOf(keyOf(item, mergeKey)))
    else if (kind === 'merge') throw failedPatch('merging lists cannot yet be specified in the patch')
    else throw badDirective(kind, item)
  }
  if (isReplaced) return { kept: changes, changes: [] }
  const isKept = (item: JsonObject) => !Object.hasOwn(item, mergeKey) || !deleted.has(identityOf(item[mergeKey]!))
  return { kept: deleted.size === 0 ? before : before.filter(isKept), changes }
}

// Merges each change into the item with the same key, and appends changes without one. A list may contain a key twice: the
// first item is the one that is merged.
function mergeByKey(
  kept: JsonObject[],
  changes: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): JsonObject[] {
  const merged = [...kept]
  const places = new Map<string, number>()
  const note = (item: JsonObject, place: number) => {
    const identity = identityOf(keyOf(item, mergeKey))
    if (!places.has(identity)) places.set(identity, place)
  }
  for (const [place, item] of kept.entries()) if (Object.hasOwn(item, mergeKey)) note(item, place)
  for (const change of changes) {
    const place = places.get(identityOf(keyOf(change, mergeKey)))
    if (place !== undefined) {
      merged[place] = mergeItem(merged[place]!, change)
      continue
    }
    merged.push(cleaned(change) as JsonObject)
    note(change, merged.length - 1)
  }
  return merged
}

/** Returns a text that is equal for equal scalars only, as a map key. */
function identityOf(value: JsonValue): string {
  return JSON.stringify(value)
}

function uniqueScalars(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [identityOf(value), value])).values()]
}
