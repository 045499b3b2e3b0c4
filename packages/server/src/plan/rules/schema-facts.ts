import type { Attribute, Block, NestedBlock, PathStep } from '@hykube/tfplugin/value'
import type { Content } from './parts.ts'

/** What holds somewhere in a block, known once for each block, so that values without it are not walked. */
export interface SchemaFacts {
  readonly writeOnly: boolean
  readonly sensitive: boolean
}

/** The facts of a block and of everything in it. */
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

/** The attribute that a path leads to or into; undefined for blocks and for what is not there. */
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

/** Whether an attribute at any depth is such a one. */
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
