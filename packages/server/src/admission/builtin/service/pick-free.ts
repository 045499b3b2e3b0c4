import type { AllocationRange } from './address-range.ts'

/** Who has what of a range. */
export interface Taken {
  has(value: string): Promise<boolean>
  all(): AsyncIterable<string>
}

/** Random looks into a range before all of it is read: a range that is half full needs two of them on average. */
const looks = 16

/** A value that nobody has and that is not spoken for; undefined when there is none. */
export async function pickFree(
  range: AllocationRange,
  taken: Taken,
  spokenFor: ReadonlySet<string>,
  random: () => number = Math.random,
): Promise<string | undefined> {
  const given = range.size - range.reserved
  for (let look = 0; look < looks; look++) {
    const value = range.at(range.reserved + Math.floor(random() * given))
    if (!spokenFor.has(value) && !(await taken.has(value))) return value
  }
  return firstFree(range, taken, spokenFor)
}

// The values that are kept for who names them are given out last.
async function firstFree(
  range: AllocationRange,
  taken: Taken,
  spokenFor: ReadonlySet<string>,
): Promise<string | undefined> {
  const used = new Set(spokenFor)
  for await (const value of taken.all()) used.add(value)
  for (let step = 0; step < range.size; step++) {
    const value = range.at((range.reserved + step) % range.size)
    if (!used.has(value)) return value
  }
  return undefined
}
