import type { Steps } from '../base/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/index.ts'
import type { ListShape, TypeShape } from '../object/index.ts'
import { emptyFieldSet, type FieldSet, noteSize } from './field-set.ts'
import { fieldElement, type PathElement } from './path-element.ts'
import { fieldShape, formOf, isAtomic, isEmptyObject, isNamedField, itemElements } from './shape.ts'

/**
 * The fields that a configuration sets: every leaf and every item. Objects and lists count as set only where their keys
 * are the user's, or where they are empty or null.
 */
export function toFieldSet(shape: TypeShape, value: JsonValue): FieldSet {
  return node(shape, value, namedFieldsDoNotCount, false) ?? emptyFieldSet
}

/** Every path of a value: what it adds where nothing was, and what goes with it. */
export function everyPath(shape: TypeShape, value: JsonValue): FieldSet {
  return node(shape, value, everythingCounts, false) ?? emptyFieldSet
}

/** As {@link everyPath}, for values with so many that others want to come between. */
export function* everyPathInSteps(shape: TypeShape, value: JsonValue): Steps<FieldSet> {
  return (yield* nodeInSteps(shape, value, false, 0)) ?? emptyFieldSet
}

/** Every path of a value, as what a step leads to that is itself in the set. */
export function everyPathWithSelf(shape: TypeShape, value: JsonValue): FieldSet {
  return node(shape, value, everythingCounts, true)!
}

/** Whether a field or item that has something inside, or could have, is itself in the set. */
type Counts = (shape: TypeShape, name: string, value: JsonValue) => boolean

const everythingCounts: Counts = () => true

const namedFieldsDoNotCount: Counts = (shape, name, value) =>
  value === null || (isJsonObject(value) && isEmptyObject(value)) || !isNamedField(shape, name)

/** What a step to a value leads to; `isMember` says whether the step itself is in the set. Undefined for nothing. */
function node(shape: TypeShape, value: JsonValue, counts: Counts, isMember: boolean): FieldSet | undefined {
  const form = formOf(shape, value)
  const builder = new NodeBuilder(isMember)
  if (isAtomic(shape, form)) return builder.node
  if (form === 'map') {
    if (isJsonObject(value)) addFields(builder, shape, value, counts)
  } else if (Array.isArray(value) && shape.kind === 'list') addItems(builder, shape, value, counts)
  return builder.node
}

function addFields(builder: NodeBuilder, shape: TypeShape, object: JsonObject, counts: Counts): void {
  for (const name of Object.keys(object)) {
    const value = object[name]!
    const inner = fieldShape(shape, name)
    const isLeaf = isAtomic(inner, formOf(inner, value))
    builder.add(fieldElement(name), isLeaf ? emptyFieldSet : node(inner, value, counts, counts(shape, name, value)))
  }
}

function addItems(builder: NodeBuilder, shape: ListShape, items: readonly JsonValue[], counts: Counts): void {
  const elements = itemElements(shape, items)
  if (elements === undefined) return
  const seen = new Set<PathElement>()
  for (const [index, element] of elements.entries()) {
    // Items that come more than once are owned together, without their insides.
    builder.add(element, seen.has(element) ? emptyFieldSet : node(shape.element, items[index]!, counts, true))
    seen.add(element)
  }
}

/** What {@link node} makes where everything counts; what lies deep is small, and made at once. */
function* nodeInSteps(
  shape: TypeShape,
  value: JsonValue,
  isMember: boolean,
  depth: number,
): Steps<FieldSet | undefined> {
  const form = formOf(shape, value)
  if (depth >= deepestSteps || isAtomic(shape, form)) return node(shape, value, everythingCounts, isMember)
  const builder = new NodeBuilder(isMember)
  if (form === 'map' && isJsonObject(value)) {
    let count = 0
    for (const name of Object.keys(value)) {
      if (++count % membersInStep === 0) yield
      const inner = fieldShape(shape, name)
      builder.add(fieldElement(name), yield* nodeInSteps(inner, value[name]!, true, depth + 1))
    }
  } else if (Array.isArray(value) && shape.kind === 'list') {
    const elements = itemElements(shape, value) ?? []
    const seen = new Set<PathElement>()
    for (const [index, element] of elements.entries()) {
      if (index % membersInStep === membersInStep - 1) yield
      const isFirst = !seen.has(element)
      builder.add(element, isFirst ? yield* nodeInSteps(shape.element, value[index]!, true, depth + 1) : emptyFieldSet)
      seen.add(element)
    }
  }
  return builder.node
}

const deepestSteps = 6
const membersInStep = 2000

/** Makes a node in one go, because nodes of long lists are too large to be copied. */
class NodeBuilder {
  readonly #isMember: boolean
  #set: Record<PathElement, FieldSet> | undefined
  #size = 0

  constructor(isMember: boolean) {
    this.#isMember = isMember
  }

  add(element: PathElement, inner: FieldSet | undefined): void {
    if (inner === undefined) return
    this.#set ??= this.#isMember ? { '.': emptyFieldSet } : {}
    if (this.#set[element] === undefined) this.#size++
    this.#set[element] = inner
  }

  get node(): FieldSet | undefined {
    if (this.#set !== undefined) return noteSize(this.#set, this.#size)
    return this.#isMember ? emptyFieldSet : undefined
  }
}
