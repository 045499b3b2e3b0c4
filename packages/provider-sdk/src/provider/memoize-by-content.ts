import type { Attributes } from './schema/attribute.ts'
import type { Blocks } from './schema/block.ts'
import type { Content } from './schema/schema.ts'

/** Caches a function of a content, by the identity of its attributes and blocks. */
export function memoizeByContent<T extends NonNullable<unknown>>(
  compute: (content: Content) => T,
): (content: Content) => T {
  const cache = new WeakMap<Attributes, WeakMap<Blocks, T>>()
  return (content) => {
    const known = cache.get(content.attributes)?.get(content.blocks)
    if (known !== undefined) return known
    const value = compute(content)
    const byBlocks = cache.get(content.attributes) ?? new WeakMap<Blocks, T>()
    cache.set(content.attributes, byBlocks.set(content.blocks, value))
    return value
  }
}
