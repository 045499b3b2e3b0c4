import {
  Decimal,
  elementType,
  isList,
  isUnknown,
  memberType,
  type Type,
  Typed,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { type SensitiveTree, treeWithin } from './secrets/sensitivity.ts'

/** Plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Rules for converting a value to JSON. A rule that returns undefined omits the part. */
export interface JsonForm {
  readonly sensitive: (value: Value) => Json | undefined
  readonly unknown: (type: Type) => Json | undefined
  readonly leaf: (value: null | boolean | string | Decimal) => Json | undefined
}

/**
 * Converts a value to JSON. Omitted elements of lists and sets become null, so that the others keep their index.
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

/** Converts a number without loss: to a JSON number if a double represents it exactly, otherwise to a string. */
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
