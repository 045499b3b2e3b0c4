import type { AllocationRange } from './address-range.ts'

/** Looks up allocated values. */
export interface Allocations {
  has(value: string): Promise<boolean>
  all(): AsyncIterable<string>
}

/** Random attempts before the whole range is read: a half-full range needs two of them on average. */
const randomAttempts = 16

/** Returns a value that is free and not in `requested`; undefined when the range is full. */
export async function pickFree(
  range: AllocationRange,
  allocations: Allocations,
  requested: ReadonlySet<string>,
  random: () => number = Math.random,
): Promise<string | undefined> {
  const given = range.size - range.reserved
  for (let attempt = 0; attempt < randomAttempts; attempt++) {
    const value = range.at(range.reserved + Math.floor(random() * given))
    if (!requested.has(value) && !(await allocations.has(value))) return value
  }
  return firstFree(range, allocations, requested)
}

// Reserved values are allocated last.
async function firstFree(
  range: AllocationRange,
  allocations: Allocations,
  requested: ReadonlySet<string>,
): Promise<string | undefined> {
  const used = new Set(requested)
  for await (const value of allocations.all()) used.add(value)
  for (let step = 0; step < range.size; step++) {
    const value = range.at((range.reserved + step) % range.size)
    if (!used.has(value)) return value
  }
  return undefined
}
