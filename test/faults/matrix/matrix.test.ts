import { expect, test } from 'vitest'
import type { Result } from './attempt.ts'
import { nameOf, operations, shuffledCases, sorts } from './cases.ts'
import { runMatrix } from './run-matrix.ts'

// One case per operation and kind of provider, chosen by the seed. All cases: `npm run faults -- matrix`.
const seed = 7
const cases = sorts.flatMap((sort) =>
  operations.map((operation) => {
    const own = shuffledCases(seed).filter((each) => each.sort === sort && each.operation === operation)
    // Timeout cases take too long for this test.
    return own.find(({ fault }) => fault !== 'timeout')!
  }),
)

test('a server killed at any step of the journal loses nothing, creates nothing twice and reports every unknown outcome', {
  timeout: 600_000,
}, async () => {
  const results: Result[] = []
  await runMatrix(cases, (result) => results.push(result))
  const failed = results.filter(({ problem }) => problem !== undefined)
  expect(failed.map((each) => `${nameOf(each.case)}: ${each.problem}`)).toEqual([])
  expect(results).toHaveLength(cases.length)
  expect(results.filter(({ isReached }) => isReached).length).toBeGreaterThan(cases.length / 2)
})
