import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import type { TypeShape } from '../schema/index.ts'
import { badDirective, cleaned, directive, keyOfDirective } from './directives.ts'
import { orderItems } from './element-order.ts'
import { goTypeOf } from './go-text.ts'
import { withoutNulls } from './merge-patch.ts'
import { failedPatch, malformedPatch } from './patch-failure.ts'
import { mergeListItems, removeScalars } from './strategic-list.ts'

/**
 * Applies a strategic merge patch: lists are merged by key where the shape declares it, and directives (`$patch`,
 * `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`) control the merge. The document is not modified, and
 * the result shares the unchanged parts with it. Throws `StatusError` with kube-apiserver's messages.
 */
export function applyStrategicMergePatch(shape: TypeShape, document: JsonObject, patch: JsonValue): JsonObject {
  if (!isJsonObject(patch)) throw malformedPatch('invalid JSON document')
  return mergeObjects(shape, document, patch)
}

function mergeObjects(shape: TypeShape | undefined, document: JsonObject, patch: JsonObject): JsonObject {
  if (Object.hasOwn(patch, directive.patch)) return replaceOrDelete(patch)
  const retained = retainKeys(document, patch)
  const draft = new Draft(retained)
  const done = mergeOrderedLists(shape, draft, patch)
  // Deletions from lists come first, so that an item which is both deleted and added remains.
  const isDeletionKey = (key: string) => key.startsWith(directive.deleteFromPrimitiveList)
  const keys = Object.keys(patch)
  for (const key of [...keys.filter(isDeletionKey), ...keys.filter((each) => !isDeletionKey(each))]) {
    if (done.has(key)) continue
    const isDeletion = isDeletionKey(key)
    const field = isDeletion ? keyOfDirective(key) : key
    const before = draft.get(field)
    const after = mergeField(fieldOf(shape, field), before, patch[key]!, isDeletion)
    if (after !== before) draft.set(field, after)
  }
  return draft.object
}

/** An object that is copied before its first change, and only then. */
class Draft {
  object: JsonObject
  #isCopy = false

  constructor(object: JsonObject) {
    this.object = object
  }

  get(field: string): JsonValue | undefined {
    return Object.hasOwn(this.object, field) ? this.object[field] : undefined
  }

  /** Sets a field; `undefined` removes it. */
  set(field: string, value: JsonValue | undefined): void {
    if (!this.#isCopy) this.object = { ...this.object }
    this.#isCopy = true
    if (value === undefined) delete this.object[field]
    else setOwn(this.object, field, value)
  }
}

// Returns undefined to remove the field. Values of different types replace each other.
function mergeField(
  shape: TypeShape | undefined,
  before: JsonValue | undefined,
  patch: JsonValue,
  isDeletion: boolean,
): JsonValue | undefined {
  if (patch === null) return undefined
  if (isDeletion) {
    return Array.isArray(before) && Array.isArray(patch) ? removeScalars(before, patch) : before
  }
  if (isJsonObject(before) && isJsonObject(patch)) {
    if (strategyOf(shape) === 'replace') return withoutNulls(patch)
    return mergeObjects(shape, before, patch)
  }
  if (Array.isArray(before) && Array.isArray(patch)) return mergeLists(shape, before, patch)
  return cleaned(patch)
}

function mergeLists(shape: TypeShape | undefined, before: JsonValue[], patch: JsonValue[]): JsonValue {
  if (strategyOf(shape) !== 'merge') return withoutNulls(patch)
  const element = shape?.kind === 'list' ? shape.element : undefined
  return mergeListItems(before, patch, shape?.patchMergeKey ?? '', (item, change) =>
    mergeObjects(element, item, change),
  )
}

/** Merges and sorts each list that has a `$setElementOrder` directive; returns the patch keys that are thereby done. */
function mergeOrderedLists(shape: TypeShape | undefined, draft: Draft, patch: JsonObject): ReadonlySet<string> {
  const done = new Set<string>([directive.retainKeys])
  const document = draft.object
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(directive.setElementOrder)) continue
    done.add(key)
    const order = listOf(patch[key]!)
    const field = keyOfDirective(key)
    const before = Object.hasOwn(document, field) ? listOf(document[field]!) : undefined
    const change = Object.hasOwn(patch, field) ? listOf(patch[field]!) : undefined
    const inner = fieldOf(shape, field)
    if (before === undefined && change === undefined) continue
    const merged = orderItems({
      order,
      before: before ?? [],
      change: change ?? [],
      mergeKey: inner?.patchMergeKey ?? '',
      merge: () => {
        if (change === undefined) return before!
        if (before === undefined) return cleaned(change) as JsonValue[]
        return mergeLists(inner, before, change) as JsonValue[]
      },
    })
    draft.set(field, merged)
    done.add(field)
  }
  return done
}

/** Removes the fields that `$retainKeys` does not list. Every field that the patch sets must be listed. */
function retainKeys(document: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, directive.retainKeys)) return document
  const keys = patch[directive.retainKeys]
  if (!Array.isArray(keys)) throw malformedPatch('invalid patch format of retainKeys')
  const retained = new Set(keys)
  for (const key of Object.keys(patch)) {
    const isDirective =
      key === directive.retainKeys ||
      key.startsWith(directive.deleteFromPrimitiveList) ||
      key.startsWith(directive.setElementOrder)
    if (!isDirective && patch[key] !== null && !retained.has(key))
      throw malformedPatch('invalid patch format of retainKeys')
  }
  const dropped = Object.keys(document).filter((key) => !retained.has(key))
  if (dropped.length === 0) return document
  const result: JsonObject = { ...document }
  for (const key of dropped) delete result[key]
  return result
}

// `$patch: replace` sets the object to the rest of the patch; `$patch: delete` empties it.
function replaceOrDelete(patch: JsonObject): JsonObject {
  const { [directive.patch]: kind, ...rest } = patch
  if (kind === 'replace') return rest
  if (kind === 'delete') return {}
  throw badDirective(kind, patch)
}

/** Returns the shape of a field; undefined when there is no schema: then objects are merged and all else is replaced. */
function fieldOf(shape: TypeShape | undefined, field: string): TypeShape | undefined {
  if (shape?.kind === 'struct') return shape.field(field) ?? shape.unknownFields
  return shape?.kind === 'map' ? shape.element : undefined
}

function strategyOf(shape: TypeShape | undefined): 'merge' | 'replace' | undefined {
  return shape?.patchStrategies?.find((strategy) => strategy !== 'retainKeys') as 'merge' | 'replace' | undefined
}

function listOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value
  throw failedPatch(`expected a []interface {}, but received a ${goTypeOf(value)}`)
}
