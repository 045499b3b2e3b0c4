// The order of list items in strategic merge patches: `$setElementOrder`, and the merge of patch and server order.

import { isJsonObject, type JsonValue, jsonEquals } from '../json/index.ts'
import { directive } from './directives.ts'
import { goText, goTypeOf } from './go-text.ts'
import { failedPatch, inapplicablePatch } from './patch-failure.ts'

/** A list with a `$setElementOrder` directive. */
export interface OrderedList {
  readonly order: readonly JsonValue[]
  readonly before: readonly JsonValue[]
  readonly change: readonly JsonValue[]
  /** Empty for lists of scalars. */
  readonly mergeKey: string
  /** Returns the list with the change merged into it. */
  readonly merge: () => readonly JsonValue[]
}

/** Returns the merged list in the order of its directive; items that only the server has stay near their neighbours. */
export function orderItems({ order, before, change, mergeKey, merge }: OrderedList): JsonValue[] {
  checkOrder(change, order, mergeKey)
  const items = merge()
  if (before.length === 0 && change.length === 0) throw failedPatch('no elements in any of the given slices')
  itemsAreObjects(before, change)
  return inOrder({ items, order, serverOrder: orderAfterDeletions(before, items, change, mergeKey), mergeKey })
}

/** Sorts items: those in `order` by it, and the others in between, in the order of the server. */
export function inOrder(list: {
  readonly items: readonly JsonValue[]
  readonly order: readonly JsonValue[]
  readonly serverOrder: readonly JsonValue[]
  readonly mergeKey: string
}): JsonValue[] {
  const { mergeKey } = list
  if (mergeKey !== '') for (const item of [...list.items, ...list.order]) keyOf(item, mergeKey)
  const rankOf = positionsOf(list.order, mergeKey)
  const serverRankOf = positionsOf(list.serverOrder, mergeKey)
  const ranked = list.items.map((item) => ({ item, rank: rankOf(item), serverRank: serverRankOf(item) }))
  const named = ranked.filter(({ rank }) => rank !== -1).sort((a, b) => a.rank - b.rank)
  const others = ranked.filter(({ rank }) => rank === -1).sort((a, b) => a.serverRank - b.serverRank)
  const result: JsonValue[] = []
  let next = 0
  for (const { item, serverRank } of named) {
    // Items that precede this one on the server stay before it.
    while (next < others.length && isBefore(others[next]!.serverRank, serverRank)) result.push(others[next++]!.item)
    result.push(item)
  }
  while (next < others.length) result.push(others[next++]!.item)
  return result
}

/** Returns true when the items of the lists are objects. Throws when they differ in type or are lists themselves. */
export function itemsAreObjects(...lists: readonly (readonly JsonValue[])[]): boolean {
  let type: string | undefined
  for (const item of lists.flat(1)) {
    if (Array.isArray(item)) throw inapplicablePatch('lists of lists are not supported')
    type ??= goTypeOf(item)
    if (type !== goTypeOf(item)) {
      throw failedPatch(`list element types are not identical: ${goText(lists.map((list) => [...list]))}`)
    }
  }
  return type === goTypeOf({})
}

/** Returns the merge key of an item; throws when the item has none. */
export function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  if (!isJsonObject(item)) throw failedPatch(`expected a map[string]interface {}, but received a ${goTypeOf(item)}`)
  if (!Object.hasOwn(item, mergeKey)) {
    throw failedPatch(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`)
  }
  return item[mergeKey]!
}

/** Checks that the directive lists all items of the change, in the same order; deletions are ignored. */
function checkOrder(change: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0) return
  const items = change.filter((item) => !isDeletion(item))
  let next = 0
  let place = 0
  while (next < items.length && place < order.length) {
    const item = items[next]!
    if (isJsonObject(item) && Object.hasOwn(item, directive.patch)) next++
    else if (isSame(item, order[place++]!, mergeKey)) next++
  }
  if (next < items.length) {
    throw failedPatch(
      `The order in patch list:\n${goText([...change])}\n doesn't match ${directive.setElementOrder} list:\n${goText([...order])}\n`,
    )
  }
}

/**
 * Returns the order of the server's items after deletions: new items fill the free positions at the end, as in Kubernetes.
 */
function orderAfterDeletions(
  before: readonly JsonValue[],
  items: readonly JsonValue[],
  change: readonly JsonValue[],
  mergeKey: string,
): readonly JsonValue[] {
  if (!change.some(isDeletion)) return before
  const place = positionsOf(items, mergeKey)
  const kept = before.filter((item) => place(item) !== -1)
  const known = positionsOf(before, mergeKey)
  const added = change.filter((item) => place(item) !== -1 && known(item) === -1)
  return [...kept, ...added].slice(0, before.length)
}

function isDeletion(item: JsonValue): boolean {
  return isJsonObject(item) && item[directive.patch] === 'delete'
}

function isSame(item: JsonValue, place: JsonValue, mergeKey: string): boolean {
  return mergeKey === '' ? jsonEquals(item, place) : jsonEquals(keyOf(item, mergeKey), keyOf(place, mergeKey))
}

/** Returns a lookup of the position of an item by its merge key, or by its value; -1 when it is not in the list. */
function positionsOf(list: readonly JsonValue[], mergeKey: string): (item: JsonValue) => number {
  const identity = (item: JsonValue) => JSON.stringify(mergeKey === '' || !isJsonObject(item) ? item : item[mergeKey])
  const places = new Map<string | undefined, number>()
  for (const [index, item] of list.entries()) if (!places.has(identity(item))) places.set(identity(item), index)
  return (item) => places.get(identity(item)) ?? -1
}

// -1 means that the server does not have the item, so that its order is undefined.
function isBefore(a: number, b: number): boolean {
  return a !== -1 && b !== -1 && a < b
}
