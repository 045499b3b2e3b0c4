import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../json/index.ts'
import type { ListShape, TypeShape } from '../schema/index.ts'
import { emptyFieldSet, type FieldSet, isEmptySet, noteSize, recursiveDifference } from './field-set.ts'
import { fieldElement, type PathElement } from './path-element.ts'
import { fieldShape, formOf, isAtomic, isEmptyObject, itemElements } from './shape.ts'
import { everyPath, everyPathWithSelf } from './to-field-set.ts'

/** The differences between two values. The first three sets are disjoint. */
export interface Comparison {
  readonly removed: FieldSet
  readonly modified: FieldSet
  readonly added: FieldSet
  /** The subset of `removed` whose container was replaced by a leaf, such as a map by a `${…}` expression. */
  readonly displaced: FieldSet
}

/** Returns the differences from `before` to `after`. */
export function compareTyped(shape: TypeShape, before: JsonValue, after: JsonValue): Comparison {
  const difference = compare(shape, before, after)
  return {
    removed: difference?.removed ?? emptyFieldSet,
    modified: difference?.modified ?? emptyFieldSet,
    added: difference?.added ?? emptyFieldSet,
    displaced: difference?.displaced ?? emptyFieldSet,
  }
}

/** Returns true when the comparison has no differences. */
export function isSame({ removed, modified, added }: Comparison): boolean {
  return isEmptySet(removed) && isEmptySet(modified) && isEmptySet(added)
}

/** Returns a comparison without the fields of a set and everything below them. */
export function excludeFields(comparison: Comparison, excluded: FieldSet | undefined): Comparison {
  if (excluded === undefined || isEmptySet(excluded)) return comparison
  return {
    removed: recursiveDifference(comparison.removed, excluded),
    modified: recursiveDifference(comparison.modified, excluded),
    added: recursiveDifference(comparison.added, excluded),
    displaced: recursiveDifference(comparison.displaced, excluded),
  }
}

/**
 * The differences below a path element. An empty set means that the element itself differs; undefined that nothing does.
 */
interface Difference {
  removed?: FieldSet
  modified?: FieldSet
  added?: FieldSet
  displaced?: FieldSet
}

function compare(shape: TypeShape, before: JsonValue, after: JsonValue): Difference | undefined {
  if (before === after) return undefined
  const form = formOf(shape, before)
  if (form !== formOf(shape, after)) return compareForms(shape, before, after)
  if (isAtomic(shape, form)) return compareLeaves(before, after)
  return form === 'map' ? compareMaps(shape, before, after) : compareLists(shape as ListShape, before, after)
}

function compareLeaves(before: JsonValue, after: JsonValue): Difference | undefined {
  return jsonEquals(before, after) ? undefined : { modified: emptyFieldSet }
}

/** Compares values of different forms: everything inside the old one is removed, everything inside the new one added. */
function compareForms(shape: TypeShape, before: JsonValue, after: JsonValue): Difference {
  const removed = nonEmpty(everyPath(shape, before))
  const added = nonEmpty(everyPath(shape, after))
  return {
    modified: emptyFieldSet,
    ...(removed === undefined ? {} : { removed }),
    ...(added === undefined ? {} : { added }),
    ...(removed !== undefined && isLeafInPlaceOf(shape, after) ? { displaced: removed } : {}),
  }
}

function isLeafInPlaceOf(shape: TypeShape, value: JsonValue): boolean {
  return shape.kind !== 'scalar' && shape.kind !== 'any' && formOf(shape, value) === 'scalar'
}

function compareMaps(shape: TypeShape, before: JsonValue, after: JsonValue): Difference | undefined {
  const left = isJsonObject(before) ? before : nothing
  const right = isJsonObject(after) ? after : nothing
  if (isEmptyObject(left) && isEmptyObject(right)) return compareLeaves(before, after)
  const difference = new DifferenceBuilder()
  for (const name in left) {
    const inner = fieldShape(shape, name)
    if (Object.hasOwn(right, name)) difference.add(fieldElement(name), compare(inner, left[name]!, right[name]!))
    else difference.remove(fieldElement(name), inner, left[name]!)
  }
  for (const name in right) {
    if (!Object.hasOwn(left, name)) difference.appear(fieldElement(name), fieldShape(shape, name), right[name]!)
  }
  return difference.result
}

function compareLists(shape: ListShape, before: JsonValue, after: JsonValue): Difference | undefined {
  // Most lists are unchanged, which is cheaper to detect than to compute the keys of their items.
  if (jsonEquals(before, after)) return undefined
  const left = itemsByElement(shape, before)
  const right = itemsByElement(shape, after)
  // A list whose items cannot be identified is compared as a whole.
  if (left === undefined || right === undefined || (left.size === 0 && right.size === 0)) {
    return compareLeaves(before, after)
  }
  const difference = new DifferenceBuilder()
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    compareItems(difference, element, shape.element, left.get(element) ?? [], right.get(element) ?? [])
  }
  return difference.result
}

/** Compares the items with one key: usually one on each side, but live lists may contain duplicates. */
function compareItems(
  difference: DifferenceBuilder,
  element: PathElement,
  shape: TypeShape,
  left: readonly JsonValue[],
  right: readonly JsonValue[],
): void {
  if (left.length > 1 && right.length > 1) {
    difference.add(element, jsonEquals([...left], [...right]) ? undefined : { modified: emptyFieldSet })
    return
  }
  if (left.length === 1 && right.length === 1) {
    difference.add(element, compare(shape, left[0]!, right[0]!))
    return
  }
  // Duplicates are owned together, without their fields; a single item on the other side is owned as usual.
  if (left.length > 1) difference.add(element, { removed: emptyFieldSet })
  else if (left.length === 1) difference.remove(element, shape, left[0]!)
  if (right.length > 1) difference.add(element, { added: emptyFieldSet })
  else if (right.length === 1) difference.appear(element, shape, right[0]!)
}

/** Collects the differences of the members of a value. */
class DifferenceBuilder {
  #result:
    | {
        removed?: Record<PathElement, FieldSet>
        modified?: Record<PathElement, FieldSet>
        added?: Record<PathElement, FieldSet>
        displaced?: Record<PathElement, FieldSet>
      }
    | undefined
  readonly #sizes = new Map<keyof Difference, number>()

  add(element: PathElement, difference: Difference | undefined): void {
    if (difference === undefined) return
    if (difference.removed !== undefined) this.#put('removed', element, difference.removed)
    if (difference.modified !== undefined) this.#put('modified', element, difference.modified)
    if (difference.added !== undefined) this.#put('added', element, difference.added)
    if (difference.displaced !== undefined) this.#put('displaced', element, difference.displaced)
  }

  remove(element: PathElement, shape: TypeShape, value: JsonValue): void {
    this.#put('removed', element, everyPathWithSelf(shape, value))
  }

  appear(element: PathElement, shape: TypeShape, value: JsonValue): void {
    this.#put('added', element, everyPathWithSelf(shape, value))
  }

  get result(): Difference | undefined {
    for (const [kind, size] of this.#sizes) noteSize(this.#result![kind]!, size)
    return this.#result
  }

  #put(kind: keyof Difference, element: PathElement, node: FieldSet): void {
    this.#result ??= {}
    const set = this.#result[kind]
    if (set === undefined) this.#result[kind] = { [element]: node }
    else {
      set[element] = node
      this.#sizes.set(kind, (this.#sizes.get(kind) ?? 1) + 1)
    }
  }
}

// Groups items by their path element; undefined when an item has no usable key.
function itemsByElement(shape: ListShape, value: JsonValue): Map<PathElement, JsonValue[]> | undefined {
  const items = Array.isArray(value) ? value : []
  const elements = itemElements(shape, items)
  if (elements === undefined) return undefined
  const byElement = new Map<PathElement, JsonValue[]>()
  for (const [index, element] of elements.entries()) {
    const same = byElement.get(element)
    if (same === undefined) byElement.set(element, [items[index]!])
    else same.push(items[index]!)
  }
  return byElement
}

const nothing: JsonObject = Object.freeze({})

function nonEmpty(set: FieldSet): FieldSet | undefined {
  return isEmptySet(set) ? undefined : set
}
