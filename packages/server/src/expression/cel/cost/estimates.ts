/** An interval of sizes or costs. */
export interface Range {
  readonly min: number
  readonly max: number
}

/**
 * The possible size of the value at a path; undefined if it is unknown. A path starts with a variable; `@items`, `@keys` and
 * `@values` stand for the contents of lists and maps.
 */
export type SizeAt = (path: readonly string[]) => Range | undefined

/** The largest value of a range; larger results are capped, as cel-go caps at the maximum uint64. */
export const maxValue = 2 ** 64

export const nothing: Range = { min: 0, max: 0 }

export const unknownSize: Range = { min: 0, max: maxValue }

/** The range of a single value. */
export function exactly(value: number): Range {
  return { min: value, max: value }
}

/** The sum of two ranges. */
export function plus(a: Range, b: Range): Range {
  return { min: capped(a.min + b.min), max: capped(a.max + b.max) }
}

/** The product of two ranges. */
export function times(a: Range, b: Range): Range {
  return { min: product(a.min, b.min), max: product(a.max, b.max) }
}

/** A range multiplied by a factor, rounded up. */
export function scaled({ min, max }: Range, factor: number): Range {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) }
}

/** The smallest range that contains both. */
export function either(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }
}

function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : capped(a * b)
}

function capped(value: number): number {
  return Math.min(value, maxValue)
}
