import type { Attribute, AttributeShape, NestedBlock } from '@hykube/tfplugin/schema'
import { isObject, isUnknown, Typed, unknown, type Value } from '@hykube/tfplugin/value'

/** The members of a block or of a nested attribute's object. */
export interface Content {
  readonly attributes: readonly Attribute[]
  readonly blocks: readonly NestedBlock[]
}

/** The shape of an attribute with nested attributes. */
export type NestedShape = AttributeShape & { readonly kind: 'nested' }

/** Returns the members of a nested attribute's object, which has no blocks. */
export function contentOfAttributes(attributes: readonly Attribute[]): Content {
  return { attributes, blocks: none }
}

/** True for null and for a null of a dynamic attribute, which carries a type. */
export function isNull(value: Value): boolean {
  return value === null || (value instanceof Typed && value.value === null)
}

/** Returns a member of an object: null if the object is null or lacks it, unknown if the object is unknown. */
export function partOf(value: Value, name: string): Value {
  if (isObject(value)) return value[name] ?? null
  return isUnknown(value) ? unknown : null
}

/** Returns a function that looks up members like partOf, with the checks of the object done once. */
export function partsOf(value: Value): (name: string) => Value {
  if (isObject(value)) return (name) => value[name] ?? null
  const other = isUnknown(value) ? unknown : null
  return () => other
}

const none: readonly NestedBlock[] = []
