import { impliedType } from './implied-type.ts'
import type { Block, NestedBlock } from './schema.ts'
import { hasDynamic, objectType, tupleType } from './type.ts'
import { emptyObject, Typed, type Value, type ValueObject } from './value.ts'

/** A block in which nothing was written: null attributes, no nested blocks. */
export function emptyBlock(block: Block): ValueObject {
  const object = emptyObject()
  for (const { name } of block.attributes) object[name] = null
  for (const nested of block.blocks) object[nested.name] = emptyNestedBlock(nested)
  return object
}

/** A nested block that was not written: null if it is single, empty if there may be several. */
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
