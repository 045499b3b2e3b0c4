import { expect } from 'vitest'

/** Cases that come out differently here, under the reason why they do. */
export type Differences = Readonly<Record<string, readonly string[]>>

/** Exactly the listed cases may come out differently: one more is a fault, one less a line to take out. */
export function expectDifferences(failed: readonly string[], known: Differences): void {
  const listed = Object.values(known).flat()
  expect({ differ: failed.filter((name) => !listed.includes(name)).sort() }).toEqual({ differ: [] })
  expect({ agree: listed.filter((name) => !failed.includes(name)).sort() }).toEqual({ agree: [] })
}
