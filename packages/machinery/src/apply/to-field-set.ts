import { isJsonObject, type JsonObject, type JsonValue } from '../json/index.ts'
import type { ListShape, TypeShape } from '../object/index.ts'
import { emptyFieldSet, type FieldSet, nodeOf } from './field-set.ts'
import type { PathElement } from './path-element.ts'
import { entriesOf, fieldShape, formOf, isAtomic, isEmptyObject, isNamedField, itemElements } from './shape.ts'

/**
 * The fields that a configuration sets: every leaf and every item. Objects and lists count as set only where their keys
 * are the user's, or where they are empty or null.
 */
export function toFieldSet(shape: TypeShape, value: JsonValue): FieldSet {
  return inside(shape, value, namedFieldsDoNotCount)
}

/** Every path of a value: what it adds where nothing was, and what goes with it. */
export function everyPath(shape: TypeShape, value: JsonValue): FieldSet {
  return inside(shape, value, everythingCounts)
}

/** Whether a field or item that has something inside, or could have, is itself in the set. */
type Counts = (shape: TypeShape, name: string, value: JsonValue) => boolean

const everythingCounts: Counts = () => true

const namedFieldsDoNotCount: Counts = (shape, name, value) =>
  value === null || (isJsonObject(value) && isEmptyObject(value)) || !isNamedField(shape, name)

/** What of a value that is taken apart is in the set. */
function inside(shape: TypeShape, value: JsonValue, counts: Counts): FieldSet {
  const form = formOf(shape, value)
  if (isAtomic(shape, form)) return emptyFieldSet
  if (form === 'map') return isJsonObject(value) ? fieldsOf(shape, value, counts) : emptyFieldSet
  return Array.isArray(value) && shape.kind === 'list' ? itemsOf(shape, value, counts) : emptyFieldSet
}

function fieldsOf(shape: TypeShape, object: JsonObject, counts: Counts): FieldSet {
  const result: Record<PathElement, FieldSet> = {}
  for (const [name, value, element] of entriesOf(object)) {
    const inner = fieldShape(shape, name)
    const isLeaf = isAtomic(inner, formOf(inner, value))
    const node = isLeaf ? emptyFieldSet : nodeOf(counts(shape, name, value), inside(inner, value, counts))
    if (node !== undefined) result[element] = node
  }
  return result
}

function itemsOf(shape: ListShape, items: readonly JsonValue[], counts: Counts): FieldSet {
  const result: Record<PathElement, FieldSet> = {}
  const elements = itemElements(shape, items)
  if (elements === undefined) return result
  const seen = new Set<PathElement>()
  for (const [index, element] of elements.entries()) {
    // Items that come more than once are owned together, without their insides.
    result[element] = seen.has(element) ? emptyFieldSet : nodeOf(true, inside(shape.element, items[index]!, counts))!
    seen.add(element)
  }
  return result
}
