import { compareUtf8 } from '../base/index.ts'
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/index.ts'
import { deducedShape, type ListShape, type TypeShape } from '../schema/index.ts'
import { fieldElement, keyElement, type PathElement, valueElement } from './path-element.ts'

/** The structural form as which a value is processed. */
export type Form = 'scalar' | 'list' | 'map'

/** Returns the form of a value of a shape. Without a schema it is the form of the value itself; null counts as a map. */
export function formOf(shape: TypeShape, value: JsonValue | undefined): Form {
  switch (shape.kind) {
    case 'scalar':
      return 'scalar'
    case 'list':
      return shape.orLeaf === true && !fitsList(shape, value) ? 'scalar' : 'list'
    case 'struct':
    case 'map':
      return shape.orLeaf === true && !fitsMap(value) ? 'scalar' : 'map'
    case 'any':
      if (Array.isArray(value)) return 'list'
      return value === null || value === undefined || isJsonObject(value) ? 'map' : 'scalar'
    default:
      return shape satisfies never
  }
}

/** Returns true when a value is owned and replaced as a whole. */
export function isAtomic(shape: TypeShape, form: Form): boolean {
  if (form === 'scalar') return true
  switch (shape.kind) {
    case 'scalar':
      return true
    case 'list':
      return shape.listType === undefined || shape.listType === 'atomic'
    case 'struct':
      return shape.structType === 'atomic'
    case 'map':
      return shape.mapType === 'atomic'
    case 'any':
      return form !== 'map' || shape.mapType === 'atomic'
    default:
      return shape satisfies never
  }
}

/** Returns the shape of a field; undefined when the schema does not allow a field of that name. */
export function declaredShape(shape: TypeShape, name: string): TypeShape | undefined {
  switch (shape.kind) {
    case 'struct':
      return shape.field(name) ?? shape.unknownFields
    case 'map':
      return shape.element
    case 'any':
      return shape
    default:
      return undefined
  }
}

/** Returns the shape of a field; an undeclared field is treated as a value without a schema. */
export function fieldShape(shape: TypeShape, name: string): TypeShape {
  return declaredShape(shape, name) ?? deducedShape
}

/** Returns true when the schema declares the field, as opposed to a map key of the user. */
export function isNamedField(shape: TypeShape, name: string): boolean {
  return shape.kind === 'struct' && shape.field(name) !== undefined
}

/** Returns the shape below a path element; undefined when the schema does not allow the element. */
export function shapeAt(shape: TypeShape, element: PathElement): TypeShape | undefined {
  if (element.startsWith('f:')) return declaredShape(shape, element.slice(2))
  return shape.kind === 'list' ? shape.element : undefined
}

/** Returns the path element of an item of a set or map list. Throws Kubernetes' error when it has no usable key. */
export function itemElement(list: ListShape, item: JsonValue): PathElement {
  return list.listType === 'map' ? keyedItemElement(list, item) : setItemElement(item)
}

/** Returns the path elements of all items; undefined when an item has no usable key. */
export function itemElements(list: ListShape, items: readonly JsonValue[]): PathElement[] | undefined {
  try {
    return items.map((item) => itemElement(list, item))
  } catch {
    return undefined
  }
}

/** Returns the fields of an object with their path elements. */
export function entriesOf(object: JsonObject): [name: string, value: JsonValue, element: PathElement][] {
  return Object.keys(object).map((name) => [name, object[name]!, fieldElement(name)])
}

export function isEmptyObject(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

/** Returns true for scalars except null. */
export function isScalar(value: JsonValue): boolean {
  return (typeof value !== 'object' && value !== undefined) || value instanceof JsonNumber
}

function fitsMap(value: JsonValue | undefined): boolean {
  return value === null || value === undefined || isJsonObject(value)
}

function fitsList(shape: ListShape, value: JsonValue | undefined): boolean {
  if (value === null || value === undefined) return true
  if (!Array.isArray(value)) return false
  if (shape.listType !== 'set') return true
  const elements = itemElements(shape, value)
  return elements !== undefined && new Set(elements).size === elements.length
}

function keyedItemElement(list: ListShape, item: JsonValue): PathElement {
  if (item === null) throw new Error('associative list with keys may not have a null element')
  if (!isJsonObject(item)) throw new Error('associative list with keys may not have non-map elements')
  const keys = list.listMapKeys ?? []
  const fields: [string, JsonValue][] = []
  for (const name of keys) {
    const value = Object.hasOwn(item, name) ? item[name] : (list.listMapKeyDefaults?.[name] as JsonValue | undefined)
    if (value !== undefined) fields.push([name, value])
  }
  if (fields.length === 0) {
    const names = `[${keys.map((name) => JSON.stringify(name)).join(' ')}]`
    throw new Error(
      `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    )
  }
  if (fields.length > 1) fields.sort(([a], [b]) => compareUtf8(a, b))
  return keyElement(fields)
}

function setItemElement(item: JsonValue): PathElement {
  if (isScalar(item)) return valueElement(item)
  if (item === null) throw new Error("associative list without keys has an element that's an explicit null")
  if (Array.isArray(item)) throw new Error('not supported: associative list with lists as elements')
  throw new Error("associative list without keys has an element that's a map type")
}
