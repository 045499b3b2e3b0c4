import {
  type Block,
  canonicalSet,
  emptyNestedBlock,
  emptyObject,
  hasDynamic,
  impliedType,
  isList,
  isObject,
  isUnknown,
  type NestedBlock,
  type Schema,
  unknown,
  type Value,
} from '@hykube/tfplugin/value'

/**
 * The value with blocks as they must be: those that an old provider left null are empty, and one that it left unknown is
 * a block of unknowns. The same value when there is nothing to mend.
 */
export function normaliseBlocks({ block }: Schema, value: Value): Value {
  return normalised(block, value)
}

function normalised({ blocks }: Block, value: Value): Value {
  if (blocks.length === 0 || !isObject(value)) return value
  let mended: Record<string, Value> | undefined
  for (const nested of blocks) {
    const part = value[nested.name] ?? null
    const good = normalisedBlock(nested, part)
    if (good === part) continue
    mended ??= Object.assign(emptyObject(), value)
    mended[nested.name] = good
  }
  return mended ?? value
}

function normalisedBlock(nested: NestedBlock, value: Value): Value {
  const { nesting, block } = nested
  // The old SDK knows neither maps of blocks nor dynamic attributes.
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
