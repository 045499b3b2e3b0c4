import type { Attribute, AttributeShape, Block, NestedBlock, Nesting } from '@hykube/tfplugin/schema'
import type { Type } from '@hykube/tfplugin/value'

const silent = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

/** An attribute, optional by default. */
export function attributeOf(name: string, shape: Type | AttributeShape, more: Partial<Attribute> = {}): Attribute {
  return {
    ...silent,
    name,
    shape: shape.kind === 'plain' || shape.kind === 'nested' ? shape : { kind: 'plain', type: shape },
    required: false,
    optional: more.required !== true && more.computed !== true,
    computed: false,
    sensitive: false,
    writeOnly: false,
    ...more,
  }
}

/** A block. */
export function blockOf(attributes: readonly Attribute[], blocks: readonly NestedBlock[] = []): Block {
  return { ...silent, attributes, blocks }
}

/** A nested block, without limits by default. */
export function nestedBlockOf(name: string, nesting: Nesting, block: Block, minItems = 0, maxItems = 0): NestedBlock {
  return { name, nesting, block, minItems, maxItems }
}
