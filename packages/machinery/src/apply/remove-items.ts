import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import type { ListShape, TypeShape } from '../object/index.ts'
import { type FieldSet, fieldSetOf, hasElement, hasPath, isEmptySet, pathsOf, union, within } from './field-set.ts'
import { fieldElement, isKeyElement, keyNamesOf, type PathElement } from './path-element.ts'
import { entriesOf, fieldShape, formOf, isAtomic, isEmptyObject, itemElements } from './shape.ts'
import { toFieldSet } from './to-field-set.ts'

/**
 * Removes the fields and items of a set from a value. A container that loses all of its members becomes null, as in
 * Kubernetes; unchanged parts are shared.
 */
export function removeItems(shape: TypeShape, value: JsonValue, set: FieldSet): JsonValue {
  if (isEmptySet(set)) return value
  const form = formOf(shape, value)
  if (form === 'scalar') return value
  if (isAtomic(shape, form)) return null
  return form === 'map' ? removeFields(shape, value, set) : removeFromList(shape as ListShape, value, set)
}

export interface ExtractOptions {
  /** Includes the key fields of partly extracted items, so that they can be identified. Default false. */
  readonly keyFields?: boolean
}

/** Returns only the fields and items of a value that are in the set. */
export function extractItems(
  shape: TypeShape,
  value: JsonValue,
  set: FieldSet,
  options: ExtractOptions = {},
): JsonValue {
  return extract(shape, value, options.keyFields === true ? union(set, keyFieldsOf(shape, value, set)) : set)
}

function removeFields(shape: TypeShape, value: JsonValue, set: FieldSet): JsonValue {
  if (!isJsonObject(value) || isEmptyObject(value)) return null
  const rest: JsonObject = {}
  let isSame = true
  for (const [name, inner, element] of entriesOf(value)) {
    if (hasElement(set, element)) {
      isSame = false
      continue
    }
    const subset = within(set, element)
    const kept = isEmptySet(subset) ? inner : removeItems(fieldShape(shape, name), inner, subset)
    if (kept !== inner) isSame = false
    setOwn(rest, name, kept)
  }
  if (isSame) return value
  return isEmptyObject(rest) ? null : rest
}

function removeFromList(shape: ListShape, value: JsonValue, set: FieldSet): JsonValue {
  if (!Array.isArray(value) || value.length === 0) return null
  const elements = itemElements(shape, value)
  if (elements === undefined) return value
  const rest: JsonValue[] = []
  let isSame = true
  for (const [index, element] of elements.entries()) {
    const item = value[index]!
    if (hasElement(set, element)) {
      isSame = false
      continue
    }
    const subset = within(set, element)
    const kept = isEmptySet(subset) ? item : removeItems(shape.element, item, subset)
    if (kept !== item) isSame = false
    rest.push(kept)
  }
  if (isSame) return value
  return rest.length === 0 ? null : rest
}

function extract(shape: TypeShape, value: JsonValue, set: FieldSet): JsonValue {
  const form = formOf(shape, value)
  if (form === 'scalar' || isAtomic(shape, form)) return value
  return form === 'map' ? extractFields(shape, value, set) : extractFromList(shape as ListShape, value, set)
}

function extractFields(shape: TypeShape, value: JsonValue, set: FieldSet): JsonValue {
  if (!isJsonObject(value) || isEmptyObject(value)) return isJsonObject(value) || value === null ? value : null
  const taken: JsonObject = {}
  for (const [name, inner, element] of entriesOf(value)) {
    const subset = within(set, element)
    if (hasElement(set, element)) setOwn(taken, name, extract(fieldShape(shape, name), inner, set))
    else if (!isEmptySet(subset)) setOwn(taken, name, extract(fieldShape(shape, name), inner, subset))
  }
  return isEmptyObject(taken) ? null : taken
}

function extractFromList(shape: ListShape, value: JsonValue, set: FieldSet): JsonValue {
  if (!Array.isArray(value) || value.length === 0) return Array.isArray(value) || value === null ? value : null
  const elements = itemElements(shape, value)
  if (elements === undefined) return value
  const taken: JsonValue[] = []
  for (const [index, element] of elements.entries()) {
    const subset = within(set, element)
    if (!isEmptySet(subset)) taken.push(extract(shape.element, value[index]!, subset))
    else if (hasElement(set, element)) taken.push(value[index]!)
  }
  return taken.length === 0 ? null : taken
}

/** Returns the key fields of all items on the paths to existing members of the set. */
function keyFieldsOf(shape: TypeShape, value: JsonValue, set: FieldSet): FieldSet {
  const present = toFieldSet(shape, value)
  const paths: PathElement[][] = []
  for (const path of pathsOf(set)) {
    if (!hasPath(present, path)) continue
    for (const [index, element] of path.entries()) {
      if (!isKeyElement(element)) continue
      for (const name of keyNamesOf(element)) paths.push([...path.slice(0, index + 1), fieldElement(name)])
    }
  }
  return fieldSetOf(...paths)
}
