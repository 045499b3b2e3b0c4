import {
  type Attribute,
  type AttributeShape,
  type Block,
  type Documented,
  emptyBlock,
  type NestedBlock,
  type Nesting,
  type Schema,
} from '@hykube/tfplugin/schema'
import { stringType, type Type, type Value, type ValueObject, valueObject } from '@hykube/tfplugin/value'

const undocumented: Documented = {
  description: '',
  descriptionKind: 'plain',
  deprecated: false,
  deprecationMessage: '',
}

/** Flags of an attribute, in short: `required`, `optional`, `computed`, `sensitive`, `writeOnly`, in one text. */
type Flags = string

/** An attribute of a plain type, optional unless said otherwise. */
export function attribute(name: string, flags: Flags = 'optional', type: Type = stringType): Attribute {
  return withFlags(name, flags, { kind: 'plain', type })
}

/** An attribute made of attributes. */
export function nestedAttribute(
  name: string,
  nesting: 'single' | 'list' | 'set' | 'map',
  attributes: readonly Attribute[],
  flags: Flags = 'optional',
): Attribute {
  return withFlags(name, flags, { kind: 'nested', nesting, attributes })
}

export function nestedBlock(
  name: string,
  nesting: Nesting,
  attributes: readonly Attribute[],
  blocks: readonly NestedBlock[] = [],
): NestedBlock {
  return { name, nesting, block: block(attributes, blocks), minItems: 0, maxItems: 0 }
}

export function block(attributes: readonly Attribute[], blocks: readonly NestedBlock[] = []): Block {
  return { ...undocumented, attributes, blocks }
}

export function schema(attributes: readonly Attribute[], blocks: readonly NestedBlock[] = [], version = 0): Schema {
  return { version, block: block(attributes, blocks) }
}

/** An object of a schema: what is given, and nothing else. */
export function objectOf({ block: of }: Schema, given: Readonly<Record<string, Value>>): ValueObject {
  return valueObject({ ...emptyBlock(of), ...given })
}

/** An object of these parts. */
export function object(given: Readonly<Record<string, Value>>): ValueObject {
  return valueObject(given)
}

function withFlags(name: string, flags: Flags, shape: AttributeShape): Attribute {
  const has = (flag: string) => flags.split(' ').includes(flag)
  return {
    ...undocumented,
    name,
    shape,
    required: has('required'),
    optional: has('optional'),
    computed: has('computed'),
    sensitive: has('sensitive'),
    writeOnly: has('writeOnly'),
  }
}
