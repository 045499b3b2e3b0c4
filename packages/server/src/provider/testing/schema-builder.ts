import type { ProviderSchema } from '@hykube/tfplugin/protocol'
import type { Attribute, Block, NestedBlock, Nesting, Schema } from '@hykube/tfplugin/schema'
import type { Type } from '@hykube/tfplugin/value'

const undocumented = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

type Flags = Partial<Omit<Attribute, 'name' | 'shape'>>

/** An attribute of a plain type, optional unless the flags say otherwise. */
export function plain(name: string, type: Type, flags: Flags = { optional: true }): Attribute {
  return attributeOf(name, { kind: 'plain', type }, flags)
}

/** An attribute of nested attributes, optional unless the flags say otherwise. */
export function nested(
  name: string,
  nesting: 'single' | 'list' | 'set' | 'map',
  attributes: readonly Attribute[],
  flags: Flags = { optional: true },
): Attribute {
  return attributeOf(name, { kind: 'nested', nesting, attributes }, flags)
}

/** A block inside another. */
export function blockIn(
  name: string,
  nesting: Nesting,
  block: Block,
  { minItems = 0, maxItems = 0 }: Partial<Pick<NestedBlock, 'minItems' | 'maxItems'>> = {},
): NestedBlock {
  return { name, nesting, block, minItems, maxItems }
}

/** A block of attributes and blocks. */
export function blockOf(
  attributes: readonly Attribute[],
  blocks: readonly NestedBlock[] = [],
  words: Partial<Block> = {},
): Block {
  return { ...undocumented, ...words, attributes, blocks }
}

/** A provider schema of the given types. */
export function providerOf(
  resources: Readonly<Record<string, Block>>,
  dataSources: Readonly<Record<string, Block>> = {},
): ProviderSchema {
  return {
    resources: schemasOf(resources),
    dataSources: schemasOf(dataSources),
    ephemeralResources: new Map(),
    listResources: new Map(),
    actions: new Map(),
    functions: new Map(),
    serverCapabilities: {
      planDestroy: false,
      getProviderSchemaOptional: false,
      moveResourceState: false,
      generateResourceConfig: false,
    },
    diagnostics: [],
  }
}

function attributeOf(name: string, shape: Attribute['shape'], flags: Flags): Attribute {
  const none = { required: false, optional: false, computed: false, sensitive: false, writeOnly: false }
  return { ...undocumented, ...none, ...flags, name, shape }
}

function schemasOf(blocks: Readonly<Record<string, Block>>): ReadonlyMap<string, Schema> {
  return new Map(Object.entries(blocks).map(([name, block]) => [name, { version: 0, block }]))
}
