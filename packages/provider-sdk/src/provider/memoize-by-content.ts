import type { Attributes } from './attribute.ts'
import type { Blocks } from './block.ts'
import type { Content } from './schema.ts'

/** The same function, worked out once for each content; contents with the same attributes and blocks are one. */
export function oncePerContent<T extends NonNullable<unknown>>(
  workOut: (content: Content) => T,
): (content: Content) => T {
  const made = new WeakMap<Attributes, WeakMap<Blocks, T>>()
  return (content) => {
    const known = made.get(content.attributes)?.get(content.blocks)
    if (known !== undefined) return known
    const value = workOut(content)
    const byBlocks = made.get(content.attributes) ?? new WeakMap<Blocks, T>()
    made.set(content.attributes, byBlocks.set(content.blocks, value))
    return value
  }
}
