import { emptyObject, hasDynamic, objectType, Typed, tupleType, type Value, type ValueObject } from '../value/index.ts'
import { impliedType } from './implied-type.ts'
import type { Block, NestedBlock } from './schema.ts'

/** Returns the value of an empty block: null attributes and no nested blocks. */
export function emptyBlock(block: Block): ValueObject {
  const object = emptyObject()
  for (const { name } of block.attributes) object[name] = null
  for (const nested of block.blocks) object[nested.name] = emptyNestedBlock(nested)
  return object
}

/**
 * Returns the value of an absent nested block: null for single nesting, an empty collection for the others. A group is
 * always present.
 */
export function emptyNestedBlock({ nesting, block }: NestedBlock): Value {
  switch (nesting) {
    case 'single':
      return null
    case 'group':
      return emptyBlock(block)
    case 'set':
      return []
    case 'list':
      return hasDynamic(impliedType(block)) ? new Typed(tupleType([]), []) : []
    case 'map':
      return hasDynamic(impliedType(block)) ? new Typed(objectType({}), emptyObject()) : emptyObject()
  }
}
