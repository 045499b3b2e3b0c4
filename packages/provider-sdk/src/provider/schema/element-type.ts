import { nestedType } from '@hykube/tfplugin/schema'
import { type ObjectType, objectType, type Type } from '@hykube/tfplugin/value'
import { memoizeByContent } from '../memoize-by-content.ts'
import type { AttributeSpec } from './attribute.ts'
import type { BlockSpec, Blocks } from './block.ts'
import type { Content } from './schema.ts'

/** Returns the object type of a content; cached. */
export const elementTypeOf: (content: Content) => ObjectType = memoizeByContent(({ attributes, blocks }) => {
  const parts = [...Object.entries(attributes), ...Object.entries(blocks)]
  return objectType(new Map(parts.map(([name, spec]): [string, Type] => [name, partType(spec)])))
})

/** Returns the content of the objects in a nested attribute or block; undefined for a plain attribute. */
export function contentOf(spec: AttributeSpec | BlockSpec): Content | undefined {
  if (spec.kind === 'block') return spec
  return spec.shape.kind === 'nested' ? { attributes: spec.shape.attributes, blocks: none } : undefined
}

/** Returns the nesting mode of a nested attribute or block. */
export function nestingOf(spec: AttributeSpec | BlockSpec): BlockSpec['nesting'] {
  if (spec.kind === 'block') return spec.nesting
  return spec.shape.kind === 'nested' ? spec.shape.nesting : 'single'
}

const none: Blocks = {}

function partType(spec: AttributeSpec | BlockSpec): Type {
  if (spec.kind === 'attribute' && spec.shape.kind === 'plain') return spec.shape.of.type
  return nestedType(nestingOf(spec), elementTypeOf(contentOf(spec)!))
}
