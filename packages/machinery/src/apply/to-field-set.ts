import type { Steps } from '../base/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/index.ts'
import type { ListShape, TypeShape } from '../schema/index.ts'
import { emptyFieldSet, type FieldSet, noteSize } from './field-set.ts'
import { fieldElement, type PathElement } from './path-element.ts'
import { fieldShape, formOf, isAtomic, isEmptyObject, isNamedField, itemElements } from './shape.ts'

/**
 * Returns the fields that a configuration sets: every leaf and every item. A declared object or list is itself a member only
 * when it is empty or null; map keys of the user are always members.
 */
export function toFieldSet(shape: TypeShape, value: JsonValue): FieldSet {
  return node(shape, value, onlyUndeclaredContainers, false) ?? emptyFieldSet
}

/** Returns every path of a value, containers included. */
export function everyPath(shape: TypeShape, value: JsonValue): FieldSet {
  return node(shape, value, allContainers, false) ?? emptyFieldSet
}

/** Like {@link everyPath}, in steps, so that other requests can run while a large value is processed. */
export function* everyPathInSteps(shape: TypeShape, value: JsonValue): Steps<FieldSet> {
  return (yield* nodeInSteps(shape, value, false, 0)) ?? emptyFieldSet
}

/** Returns every path of a value as a node whose own element is a member too. */
export function everyPathWithSelf(shape: TypeShape, value: JsonValue): FieldSet {
  return node(shape, value, allContainers, true)!
}

/** Decides whether a container is itself a member of the set, in addition to its contents. */
type IsContainerMember = (shape: TypeShape, name: string, value: JsonValue) => boolean

const allContainers: IsContainerMember = () => true

const onlyUndeclaredContainers: IsContainerMember = (shape, name, value) =>
  value === null || (isJsonObject(value) && isEmptyObject(value)) || !isNamedField(shape, name)

/** Builds the node of a value; `isMember` makes its own element a member. Undefined when the node would be empty. */
function node(shape: TypeShape, value: JsonValue, counts: IsContainerMember, isMember: boolean): FieldSet | undefined {
  const form = formOf(shape, value)
  const builder = new NodeBuilder(isMember)
  if (isAtomic(shape, form)) return builder.node
  if (form === 'map') {
    if (isJsonObject(value)) addFields(builder, shape, value, counts)
  } else if (Array.isArray(value) && shape.kind === 'list') addItems(builder, shape, value, counts)
  return builder.node
}

function addFields(builder: NodeBuilder, shape: TypeShape, object: JsonObject, counts: IsContainerMember): void {
  for (const name of Object.keys(object)) {
    const value = object[name]!
    const inner = fieldShape(shape, name)
    const isLeaf = isAtomic(inner, formOf(inner, value))
    builder.add(fieldElement(name), isLeaf ? emptyFieldSet : node(inner, value, counts, counts(shape, name, value)))
  }
}

function addItems(
  builder: NodeBuilder,
  shape: ListShape,
  items: readonly JsonValue[],
  counts: IsContainerMember,
): void {
  const elements = itemElements(shape, items)
  if (elements === undefined) return
  const seen = new Set<PathElement>()
  for (const [index, element] of elements.entries()) {
    // Items with the same key are owned together, without their fields.
    builder.add(element, seen.has(element) ? emptyFieldSet : node(shape.element, items[index]!, counts, true))
    seen.add(element)
  }
}

/** Does the work of {@link node} with all containers in steps. Values below `deepestSteps` are small and built at once. */
function* nodeInSteps(
  shape: TypeShape,
  value: JsonValue,
  isMember: boolean,
  depth: number,
): Steps<FieldSet | undefined> {
  const form = formOf(shape, value)
  if (depth >= deepestSteps || isAtomic(shape, form)) return node(shape, value, allContainers, isMember)
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
// The number of fields or items that are processed before other work may run.
const membersInStep = 2000

/** Builds a node by mutation, because the nodes of long lists are too large to copy for each item. */
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
