import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import type { ListShape, TypeShape } from '../schema/index.ts'
import { type FieldSet, hasElement, isEmptySet, within } from './field-set.ts'
import { entriesOf, fieldShape, formOf, isAtomic, isEmptyObject, itemElements } from './shape.ts'

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
