import { expect } from 'vitest'

/** Cases with known different results, by reason. */
export type Differences = Readonly<Record<string, readonly string[]>>

/**
 * Requires that exactly the listed cases fail: a new failure is a bug, and a listed case that passes must be removed
 * from the list.
 */
export function expectDifferences(failed: readonly string[], known: Differences): void {
  const listed = Object.values(known).flat()
  expect({ differ: failed.filter((name) => !listed.includes(name)).sort() }).toEqual({ differ: [] })
  expect({ agree: listed.filter((name) => !failed.includes(name)).sort() }).toEqual({ agree: [] })
}
