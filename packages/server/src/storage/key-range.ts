import type { Range } from './contract.ts'
import { compareKeys, encodeKey, type Key, keyRangeEnd, segmentEndAt } from './key.ts'
import type { SpaceTable } from './space-table.ts'
import { StorageError } from './storage-error.ts'

/** Keys from `lower` (inclusive) to `upper` (exclusive). */
export interface KeySpan {
  readonly lower: Uint8Array
  readonly upper: Uint8Array
}

/** A validated range: one span when its leading segments are fixed, otherwise several spans found by seeking. */
export interface KeyRange {
  readonly whole: KeySpan
  /** Fixed segments by position, encoded; undefined matches any segment. Empty for a plain span. */
  readonly pattern: readonly (Uint8Array | undefined)[]
}

/** Returns the first key at or after some bytes in the store's order, or undefined. */
export type Seek = (from: Uint8Array) => Uint8Array | undefined

/** Validates a range and computes its bounds. Throws `invalid` when the space does not support it. */
export function compileRange(table: SpaceTable, range: Range): KeyRange {
  const space = table.named(range.space)
  const prefix = range.prefix ?? []
  if (prefix.length > space.segments) {
    throw new StorageError(
      'invalid',
      `cannot read ${prefix.length} segments in space ${space.name}: it has ${space.segments}`,
    )
  }
  const open = prefix.lastIndexOf(undefined)
  if (open >= (space.skip ?? 0)) {
    throw new StorageError(
      'invalid',
      `cannot leave segment ${open} open in space ${space.name}: its index starts at ${space.skip ?? 0}`,
    )
  }
  const fixed = prefix.indexOf(undefined)
  const lower = encodeKey(space.name, (fixed < 0 ? prefix : prefix.slice(0, fixed)) as readonly string[])
  return { whole: { lower, upper: keyRangeEnd(lower) }, pattern: fixed < 0 ? [] : prefix.map(encodeSegment) }
}

/** Returns the first span of the range with a key at or after some bytes, starting there; undefined at the end. */
export function nextSpan(range: KeyRange, from: Uint8Array, seek: Seek): KeySpan | undefined {
  let lower = later(from, range.whole.lower)
  if (range.pattern.length === 0)
    return compareKeys(lower, range.whole.upper) < 0 ? { lower, upper: range.whole.upper } : undefined
  for (;;) {
    const key = seek(lower)
    if (key === undefined || compareKeys(key, range.whole.upper) >= 0) return undefined
    const step = matchKey(range, key)
    if (step === undefined) return undefined
    if (step.kind === 'inside') return { lower: later(lower, step.span.lower), upper: step.span.upper }
    lower = step.to
  }
}

/** True when a key is in the range. */
export function rangeHolds(range: KeyRange, key: Uint8Array): boolean {
  if (compareKeys(key, range.whole.lower) < 0 || compareKeys(key, range.whole.upper) >= 0) return false
  return range.pattern.length === 0 || matchKey(range, key)?.kind === 'inside'
}

type Step = { readonly kind: 'inside'; readonly span: KeySpan } | { readonly kind: 'seek'; readonly to: Uint8Array }

// Compares a key with the pattern segment by segment. The first difference determines where the next match can be:
// later under the same leading segments, or under the next value of the last open segment.
function matchKey({ pattern }: KeyRange, key: Uint8Array): Step | undefined {
  let start = segmentEndAt(key, 0)
  let lastOpenEnd = -1
  for (const wanted of pattern) {
    const end = segmentEndAt(key, start)
    const order = wanted === undefined ? 0 : compareKeys(key.subarray(start, end), wanted)
    if (order < 0) return { kind: 'seek', to: Buffer.concat([key.subarray(0, start), wanted!]) }
    if (order > 0) return lastOpenEnd < 0 ? undefined : { kind: 'seek', to: keyRangeEnd(key.subarray(0, lastOpenEnd)) }
    if (wanted === undefined) lastOpenEnd = end
    start = end
  }
  const lower = key.slice(0, start)
  return { kind: 'inside', span: { lower, upper: keyRangeEnd(lower) } }
}

function encodeSegment(segment: string | undefined): Key | undefined {
  return segment === undefined ? undefined : encodeKey(segment, [])
}

function later(a: Uint8Array, b: Uint8Array): Uint8Array {
  return compareKeys(a, b) >= 0 ? a : b
}
