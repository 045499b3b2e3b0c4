import { expect, test } from 'vitest'
import type { Result } from './attempt.ts'
import { nameOf, operations, shuffledCases, sorts } from './cases.ts'
import { runMatrix } from './run-matrix.ts'

// One case for each operation of each sort of provider, another one with every seed. All of them: `npm run faults -- matrix`.
const seed = 7
const cases = sorts.flatMap((sort) =>
  operations.map((operation) => {
    const own = shuffledCases(seed).filter((each) => each.sort === sort && each.operation === operation)
    // Calls that take too long make a long test.
    return own.find(({ fault }) => fault !== 'timeout')!
  }),
)

test('a server that is killed at any step of the journal loses nothing, makes nothing twice and leaves nothing open in silence', {
  timeout: 600_000,
}, async () => {
  const results: Result[] = []
  await runMatrix(cases, (result) => results.push(result))
  const failed = results.filter(({ problem }) => problem !== undefined)
  expect(failed.map((each) => `${nameOf(each.case)}: ${each.problem}`)).toEqual([])
  expect(results).toHaveLength(cases.length)
  expect(results.filter(({ isReached }) => isReached).length).toBeGreaterThan(cases.length / 2)
})
