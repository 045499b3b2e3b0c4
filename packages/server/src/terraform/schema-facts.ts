import type { Attribute, Block, NestedBlock } from '@hykube/tfplugin/schema'
import type { PathStep } from '@hykube/tfplugin/value'
import type { Content } from './parts.ts'

/** Properties of a block, computed once, so that values aren't walked when no attribute has the property. */
export interface SchemaFacts {
  readonly writeOnly: boolean
  readonly sensitive: boolean
}

/** Returns whether any attribute in a block is write-only or sensitive. */
export function factsOf(block: Block): SchemaFacts {
  const known = factsOfBlocks.get(block)
  if (known !== undefined) return known
  const facts = {
    writeOnly: someAttribute(block, ({ writeOnly }) => writeOnly),
    sensitive: someAttribute(block, ({ sensitive }) => sensitive),
  }
  factsOfBlocks.set(block, facts)
  return facts
}

/** Returns the attribute at a path, or the plain attribute that the path leads into; undefined for blocks and unknown names. */
export function attributeAt(block: Block, path: readonly PathStep[]): Attribute | undefined {
  let content: Content = block
  for (const [i, step] of path.entries()) {
    if (step.kind !== 'attribute') continue
    const attribute = content.attributes.find(({ name }) => name === step.name)
    if (attribute !== undefined) {
      if (attribute.shape.kind === 'plain' || i === path.length - 1) return attribute
      content = { attributes: attribute.shape.attributes, blocks: [] }
      continue
    }
    const nested: NestedBlock | undefined = content.blocks.find(({ name }) => name === step.name)
    if (nested === undefined) return undefined
    content = nested.block
  }
  return undefined
}

const factsOfBlocks = new WeakMap<Block, SchemaFacts>()

/** True when an attribute at any depth satisfies a condition. */
export function someAttribute({ attributes, blocks }: Content, is: (attribute: Attribute) => boolean): boolean {
  return (
    attributes.some(
      (attribute) =>
        is(attribute) ||
        (attribute.shape.kind === 'nested' &&
          someAttribute({ attributes: attribute.shape.attributes, blocks: [] }, is)),
    ) || blocks.some(({ block }) => someAttribute(block, is))
  )
}
