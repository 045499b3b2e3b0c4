/** The least and the most of something: a size or a cost. */
export interface Range {
  readonly min: number
  readonly max: number
}

/**
 * How large the value at a path can be; undefined when nothing is known of it. A path begins with a variable; `@items`,
 * `@keys` and `@values` are what lists and maps hold.
 */
export type SizeAt = (path: readonly string[]) => Range | undefined

/** The largest number there is here, which stands for all that are larger. */
export const boundless = 2 ** 64

export const nothing: Range = { min: 0, max: 0 }

export const unknownSize: Range = { min: 0, max: boundless }

/** Exactly so much. */
export function exactly(value: number): Range {
  return { min: value, max: value }
}

/** Both together. */
export function plus(a: Range, b: Range): Range {
  return { min: capped(a.min + b.min), max: capped(a.max + b.max) }
}

/** One for each of the other. */
export function times(a: Range, b: Range): Range {
  return { min: product(a.min, b.min), max: product(a.max, b.max) }
}

/** So much a unit, rounded up. */
export function scaled({ min, max }: Range, factor: number): Range {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) }
}

/** The one or the other. */
export function either(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }
}

function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : capped(a * b)
}

function capped(value: number): number {
  return Math.min(value, boundless)
}
