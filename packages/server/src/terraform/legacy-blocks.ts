import { type Block, emptyNestedBlock, impliedType, type NestedBlock, type Schema } from '@hykube/tfplugin/schema'
import {
  canonicalSet,
  emptyObject,
  hasDynamic,
  isList,
  isObject,
  isUnknown,
  unknown,
  type Value,
} from '@hykube/tfplugin/value'

/**
 * Normalizes the blocks of a legacy provider's value: null blocks become empty, and an unknown block becomes a block of unknown values.
 * Returns the same value when nothing changes.
 */
export function normaliseBlocks({ block }: Schema, value: Value): Value {
  return normalised(block, value)
}

function normalised({ blocks }: Block, value: Value): Value {
  if (blocks.length === 0 || !isObject(value)) return value
  let fixed: Record<string, Value> | undefined
  for (const nested of blocks) {
    const part = value[nested.name] ?? null
    const good = normalisedBlock(nested, part)
    if (good === part) continue
    fixed ??= Object.assign(emptyObject(), value)
    fixed[nested.name] = good
  }
  return fixed ?? value
}

function normalisedBlock(nested: NestedBlock, value: Value): Value {
  const { nesting, block } = nested
  // The legacy SDK has neither maps of blocks nor dynamic attributes.
  if (nesting === 'map' || hasDynamic(impliedType(block))) return value
  if (value === null) return emptyNestedBlock(nested)
  if (isUnknown(value)) return nesting === 'list' || nesting === 'set' ? [unknownBlock(block)] : unknownBlock(block)
  if (!isList(value)) return normalised(block, value)
  const parts = value.map((part) => normalised(block, part))
  if (parts.every((part, i) => part === value[i])) return value
  return nesting === 'set' ? canonicalSet(parts, impliedType(block)) : parts
}

function unknownBlock({ attributes, blocks }: Block): Value {
  const object = emptyObject()
  for (const { name } of attributes) object[name] = unknown
  for (const { name, nesting, block } of blocks) {
    if (nesting === 'map') object[name] = emptyObject()
    else object[name] = nesting === 'list' || nesting === 'set' ? [unknownBlock(block)] : unknownBlock(block)
  }
  return object
}
