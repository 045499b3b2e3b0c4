import {
  type Attribute,
  type Block,
  hasDynamic,
  impliedType,
  type NestedBlock,
  type Schema,
} from '@hykube/tfplugin/value'
import type { AttributeSpec, Attributes } from './attribute.ts'
import type { BlockSpec, Blocks } from './block.ts'

/** The attributes and blocks of a provider's configuration or of one of its types. */
export interface SchemaSpec<A extends Attributes = Attributes, B extends Blocks = Blocks> {
  readonly version: number
  readonly description: string
  readonly deprecated: string
  readonly attributes: A
  readonly blocks: B
}

/** What attributes and blocks are in. */
export interface Content {
  readonly attributes: Attributes
  readonly blocks: Blocks
}

export interface SchemaOptions<A extends Attributes, B extends Blocks> {
  /** Raised when states change their shape; states of older versions go through `upgrade`. Default 0. */
  readonly version?: number
  readonly description?: string
  readonly deprecated?: string
  readonly attributes: A
  readonly blocks?: B
}

/** Makes a schema. Throws when it contradicts itself. */
export function schema<const A extends Attributes, const B extends Blocks = Record<never, never>>(
  options: SchemaOptions<A, B>,
): SchemaSpec<A, B> {
  const { version = 0, description = '', deprecated = '', attributes, blocks = {} as B } = options
  checkContent({ attributes, blocks }, '')
  return { version, description, deprecated, attributes, blocks }
}

/** A schema as hosts read it. */
export function schemaToWire(spec: SchemaSpec): Schema {
  return { version: spec.version, block: contentToWire(spec, spec) }
}

/** Whether the provider may give the attribute a value. */
export function isComputed({ options }: AttributeSpec): boolean {
  return options.computed === true || 'default' in options
}

function contentToWire(
  { attributes, blocks }: Content,
  words: { readonly description?: string; readonly deprecated?: string },
): Block {
  return {
    attributes: Object.entries(attributes).map(([name, spec]) => attributeToWire(name, spec)),
    blocks: Object.entries(blocks).map(([name, spec]) => nestedBlockToWire(name, spec)),
    ...documented(words),
  }
}

function attributeToWire(name: string, spec: AttributeSpec): Attribute {
  const { shape, options } = spec
  return {
    name,
    shape:
      shape.kind === 'plain'
        ? { kind: 'plain', type: shape.of.type }
        : {
            kind: 'nested',
            nesting: shape.nesting,
            attributes: Object.entries(shape.attributes).map(([inner, of]) => attributeToWire(inner, of)),
          },
    required: options.required === true,
    optional: options.optional === true || 'default' in options,
    computed: isComputed(spec),
    sensitive: options.sensitive === true,
    writeOnly: options.writeOnly === true,
    ...documented(options),
  }
}

function nestedBlockToWire(name: string, { nesting, attributes, blocks, options }: BlockSpec): NestedBlock {
  const { minItems = 0, maxItems = 0 } = options
  return { name, nesting, block: contentToWire({ attributes, blocks }, options), minItems, maxItems }
}

function documented({ description = '', deprecated = '' }: { description?: string; deprecated?: string }) {
  const words = { description, descriptionKind: 'markdown', deprecated: deprecated !== '' } as const
  return { ...words, deprecationMessage: deprecated }
}

function checkContent({ attributes, blocks }: Content, place: string): void {
  for (const [name, spec] of Object.entries(attributes)) checkAttribute(spec, `${place}${name}`)
  for (const [name, spec] of Object.entries(blocks)) {
    checkContent(spec, `${place}${name}.`)
    if (name in attributes) refuse(`${place}${name}`, 'is both an attribute and a block')
    if (hasDynamic(impliedType(contentToWire(spec, {}))))
      refuse(`${place}${name}`, 'is a block with a dynamic attribute; make it a nested or a dynamic attribute')
  }
}

function checkAttribute({ shape, options }: AttributeSpec, place: string): void {
  const { required, optional, computed, writeOnly } = options
  const given = 'default' in options
  if (!/(^|\.)[a-z_][a-z0-9_]*$/.test(place)) refuse(place, 'must be named in lower case with underscores')
  if (!required && !optional && !computed && !given)
    refuse(place, 'must be required, optional, computed or have a default')
  if (required && (optional || computed || given)) refuse(place, 'is required and can be nothing else besides')
  if (writeOnly && (computed || given)) refuse(place, 'is write-only, so that the provider can give it no value')
  if (shape.kind === 'nested') {
    for (const [name, spec] of Object.entries(shape.attributes)) checkAttribute(spec, `${place}.${name}`)
  }
}

function refuse(place: string, reason: string): never {
  throw new Error(`cannot make the schema: ${place} ${reason}`)
}
