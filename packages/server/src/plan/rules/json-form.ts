import { Decimal, isList, isUnknown, type Type, Typed, type Value, type ValueObject } from '@hykube/tfplugin/value'
import { type SensitiveTree, treeWithin } from './sensitivity.ts'

/** JSON as it is handed on: plain objects and arrays. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** How a value is turned into JSON: what stands for its sensitive and unknown parts. Undefined leaves a part out. */
export interface JsonForm {
  readonly sensitive: (value: Value) => Json | undefined
  readonly unknown: (type: Type) => Json | undefined
  readonly leaf: (value: null | boolean | string | Decimal) => Json | undefined
}

/**
 * A value in a JSON form. What is left out of a list or set stands there as null, so that the places of the others stay.
 */
export function valueInForm(
  value: Value,
  type: Type,
  tree: SensitiveTree | undefined,
  form: JsonForm,
): Json | undefined {
  if (tree?.whole === true) return form.sensitive(value)
  if (value === null || typeof value !== 'object' || value instanceof Decimal) return form.leaf(value)
  if (isUnknown(value)) return form.unknown(type)
  if (value instanceof Typed) return valueInForm(value.value, value.type, tree, form)
  if (isList(value))
    return value.map((part, i) => valueInForm(part, elementType(type, i), treeWithin(tree, i), form) ?? null)
  return objectInForm(value, type, tree, form)
}

/** A number as JSON can carry it without loss: as a number where a double gives the same decimal back, else as text. */
export function plainLeaf(value: null | boolean | string | Decimal): Json {
  return value instanceof Decimal ? value.toJSON() : value
}

function objectInForm(value: ValueObject, type: Type, tree: SensitiveTree | undefined, form: JsonForm): Json {
  const object: Record<string, Json> = {}
  for (const name of Object.keys(value)) {
    const part = valueInForm(value[name]!, memberType(type, name), treeWithin(tree, name), form)
    if (part === undefined) continue
    if (name === '__proto__') Object.defineProperty(object, name, { value: part, enumerable: true, configurable: true })
    else object[name] = part
  }
  return object
}

const anything: Type = { kind: 'dynamic' }

function elementType(type: Type, index: number): Type {
  if (type.kind === 'tuple') return type.elements[index] ?? anything
  return type.kind === 'list' || type.kind === 'set' ? type.element : anything
}

function memberType(type: Type, name: string): Type {
  if (type.kind === 'object') return type.attributes.get(name) ?? anything
  return type.kind === 'map' ? type.element : anything
}
