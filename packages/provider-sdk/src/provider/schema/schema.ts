import { type Attribute, type Block, impliedType, type NestedBlock, type Schema } from '@hykube/tfplugin/schema'
import { hasDynamic } from '@hykube/tfplugin/value'
import type { AttributeSpec, Attributes } from './attribute.ts'
import type { BlockSpec, Blocks } from './block.ts'

/** The schema of a provider's configuration, or of one of its types. */
export interface SchemaSpec<A extends Attributes = Attributes, B extends Blocks = Blocks> {
  readonly version: number
  readonly description: string
  readonly deprecated: string
  readonly attributes: A
  readonly blocks: B
}

/** A container of attributes and blocks: a schema, a block or a nested attribute. */
export interface Content {
  readonly attributes: Attributes
  readonly blocks: Blocks
}

export interface SchemaOptions<A extends Attributes, B extends Blocks> {
  /** Increase it when the structure of states changes; older states go through `upgrade`. Default 0. */
  readonly version?: number
  readonly description?: string
  readonly deprecated?: string
  readonly attributes: A
  readonly blocks?: B
}

/** Creates a schema. Throws when it is inconsistent. */
export function schema<const A extends Attributes, const B extends Blocks = Record<never, never>>(
  options: SchemaOptions<A, B>,
): SchemaSpec<A, B> {
  const { version = 0, description = '', deprecated = '', attributes, blocks = {} as B } = options
  checkContent({ attributes, blocks }, '')
  return { version, description, deprecated, attributes, blocks }
}

/** Converts a schema to its protocol representation. */
export function schemaToWire(spec: SchemaSpec): Schema {
  return { version: spec.version, block: contentToWire(spec, spec) }
}

/** Returns true when the provider may set the value; a default counts, because the provider fills it in. */
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
    if (name in attributes) invalid(`${place}${name}`, 'is both an attribute and a block')
    if (hasDynamic(impliedType(contentToWire(spec, {}))))
      invalid(`${place}${name}`, 'is a block with a dynamic attribute; make it a nested or a dynamic attribute')
  }
}

// The rules of Terraform's schema validation, checked at definition instead of on the first call of a host.
function checkAttribute({ shape, options }: AttributeSpec, place: string): void {
  const { required, optional, computed, writeOnly } = options
  const given = 'default' in options
  if (!/(^|\.)[a-z_][a-z0-9_]*$/.test(place)) invalid(place, 'must be named in lower case with underscores')
  if (!required && !optional && !computed && !given)
    invalid(place, 'must be required, optional, computed or have a default')
  if (required && (optional || computed || given))
    invalid(place, 'is required, so it cannot be optional, computed or have a default')
  if (writeOnly && (computed || given)) invalid(place, 'is write-only, so it cannot be computed or have a default')
  if (shape.kind === 'nested') {
    for (const [name, spec] of Object.entries(shape.attributes)) checkAttribute(spec, `${place}.${name}`)
  }
}

function invalid(place: string, reason: string): never {
  throw new Error(`cannot create the schema: ${place} ${reason}`)
}
