import {
  type Attribute,
  type AttributeShape,
  isObject,
  isUnknown,
  type NestedBlock,
  Typed,
  unknown,
  type Value,
} from '@hykube/tfplugin/value'

/** What a block and the object of a nested attribute have in common. */
export interface Content {
  readonly attributes: readonly Attribute[]
  readonly blocks: readonly NestedBlock[]
}

/** The shape of an attribute that is made of attributes. */
export type NestedShape = AttributeShape & { readonly kind: 'nested' }

/** The content of a nested attribute's objects: no blocks. */
export function contentOfAttributes(attributes: readonly Attribute[]): Content {
  return { attributes, blocks: none }
}

/** Whether a value is null; one of a dynamic attribute may say of what type it is none. */
export function isNull(value: Value): boolean {
  return value === null || (value instanceof Typed && value.value === null)
}

/** A part of an object: null where the object is null or lacks it, unknown where it is unknown. */
export function partOf(value: Value, name: string): Value {
  if (isObject(value)) return value[name] ?? null
  return isUnknown(value) ? unknown : null
}

/** The parts of an object by name, as partOf gives them. */
export function partsOf(value: Value): (name: string) => Value {
  if (isObject(value)) return (name) => value[name] ?? null
  const other = isUnknown(value) ? unknown : null
  return () => other
}

const none: readonly NestedBlock[] = []
