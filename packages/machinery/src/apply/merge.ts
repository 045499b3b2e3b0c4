import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import type { ListShape, TypeShape } from '../schema/index.ts'
import type { PathElement } from './path-element.ts'
import { fieldShape, formOf, isAtomic, isEmptyObject, itemElements } from './shape.ts'

/**
 * Merges a configuration into a live value: leaves of the configuration win, nothing is removed, and merged lists take the
 * order of the configuration. The configuration must be valid for the shape; the live value need not be. The result shares
 * the unchanged parts with the live value.
 */
export function mergeTyped(shape: TypeShape, live: JsonValue, config: JsonValue): JsonValue {
  if (live === config) return live
  const form = formOf(shape, config)
  if (config !== null && form !== formOf(shape, live)) return config
  if (isAtomic(shape, form)) return config
  return form === 'map' ? mergeMaps(shape, live, config) : mergeLists(shape as ListShape, live, config)
}

function mergeMaps(shape: TypeShape, live: JsonValue, config: JsonValue): JsonValue {
  const left = isJsonObject(live) ? live : undefined
  const right = isJsonObject(config) ? config : undefined
  // An empty or absent side changes nothing. When both are, the configuration decides between {} and null.
  if (right === undefined || isEmptyObject(right)) return left === undefined || isEmptyObject(left) ? config : live
  if (left === undefined || isEmptyObject(left)) return config
  let merged: JsonObject | undefined
  for (const name of Object.keys(right)) {
    const before = Object.hasOwn(left, name) ? left[name] : undefined
    const after = before === undefined ? right[name]! : mergeTyped(fieldShape(shape, name), before, right[name]!)
    if (after === before) continue
    merged ??= { ...left }
    setOwn(merged, name, after)
  }
  return merged ?? left
}

function mergeLists(shape: ListShape, live: JsonValue, config: JsonValue): JsonValue {
  const left = Array.isArray(live) ? live : []
  const right = Array.isArray(config) ? config : []
  if (right.length === 0) return left.length === 0 ? config : live
  if (left.length === 0) return config
  const leftElements = itemElements(shape, left)
  const rightElements = itemElements(shape, right)
  if (leftElements === undefined || rightElements === undefined) return config
  const merged = new ListMerger(shape, left, leftElements, right, rightElements).merge()
  const isSame = merged.length === left.length && merged.every((item, index) => item === left[index])
  return isSame ? live : merged
}

/**
 * Merges the items of two lists: items in both take the configuration's order; an item of the live list only stays after the
 * item that it followed. The algorithm is that of Kubernetes' structured-merge-diff, whose results clients see.
 */
class ListMerger {
  readonly #shape: ListShape
  readonly #left: readonly JsonValue[]
  readonly #leftElements: readonly PathElement[]
  readonly #rightElements: readonly PathElement[]
  readonly #leftItems: ReadonlyMap<PathElement, JsonValue>
  readonly #rightItems: ReadonlyMap<PathElement, JsonValue>
  readonly #taken = new Set<PathElement>()
  readonly #merged: JsonValue[] = []

  constructor(
    shape: ListShape,
    left: readonly JsonValue[],
    leftElements: readonly PathElement[],
    right: readonly JsonValue[],
    rightElements: readonly PathElement[],
  ) {
    this.#shape = shape
    this.#left = left
    this.#leftElements = leftElements
    this.#rightElements = rightElements
    this.#leftItems = liveItems(left, leftElements)
    this.#rightItems = new Map(rightElements.map((element, index) => [element, right[index]!]))
  }

  merge(): JsonValue[] {
    const shared = this.#rightElements.filter((element) => this.#leftItems.has(element))
    let nextShared = 0
    let at = 0
    let rightAt = 0
    while (at < this.#left.length || rightAt < this.#rightElements.length) {
      const element = this.#leftElements[at]
      const rightElement = this.#rightElements[rightAt]
      if (element !== undefined && rightElement !== undefined) {
        if (element === rightElement) {
          this.#takeRight(element)
          at++
          rightAt++
          nextShared++
          continue
        }
        // In both lists, but later in the configuration's order.
        if (this.#rightItems.has(element) && nextShared < shared.length && shared[nextShared] !== element) {
          at++
          continue
        }
      }
      if (element !== undefined) {
        if (!this.#rightItems.has(element)) {
          this.#merged.push(this.#left[at++]!)
          continue
        }
        if (this.#taken.has(element)) at++
      }
      if (rightElement !== undefined) {
        this.#takeRight(rightElement)
        rightAt++
        if (shared[nextShared] === rightElement) nextShared++
      }
    }
    return this.#merged
  }

  #takeRight(element: PathElement): void {
    this.#taken.add(element)
    const right = this.#rightItems.get(element)!
    const left = this.#leftItems.get(element)
    // A live item that occurs more than once (null here) is replaced instead of merged.
    const isMergeable = left !== undefined && left !== null
    this.#merged.push(isMergeable ? mergeTyped(this.#shape.element, left, right) : right)
  }
}

// Indexes live items by element; null marks an element that occurs more than once.
function liveItems(items: readonly JsonValue[], elements: readonly PathElement[]): Map<PathElement, JsonValue> {
  const byElement = new Map<PathElement, JsonValue>()
  for (const [index, element] of elements.entries()) {
    byElement.set(element, byElement.has(element) ? null : items[index]!)
  }
  return byElement
}
