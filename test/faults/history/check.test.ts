import { describe, expect, it } from 'vitest'
import { checkHistory } from './check.ts'
import type { ViolationKind } from './history.ts'
import { type Bug, simulateHistory } from './simulated-store.ts'

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

describe('the history checker', () => {
  it('finds no violation in the history of a correct store', () => {
    for (const seed of seeds) expect(checkHistory(simulateHistory({ calls: 500, seed }))).toEqual([])
  })

  it.each<[Bug, readonly ViolationKind[]]>([
    ['answers-before-commit', ['lost']],
    ['forgets-at-restart', ['lost', 'lost-update', 'stale']],
    ['skips-log-row', ['lost', 'torn']],
    ['lost-update', ['lost-update']],
    ['writes-twice', ['doubled']],
    ['reorders-revisions', ['lost', 'reordered', 'torn']],
    ['stale-read', ['stale', 'reordered']],
    ['stale-scan', ['stale']],
    ['tears-group', ['torn', 'reordered']],
    ['fails-but-writes', ['ghost']],
    ['follower-misses', ['missed']],
    ['follower-repeats', ['false-change']],
    ['follower-reorders', ['reordered']],
    ['wrong-previous', ['lost-update']],
  ])('detects a single %s in 500 calls', (bug, kinds) => {
    for (const seed of seeds) {
      const found = checkHistory(simulateHistory({ calls: 500, seed, bug }))
      expect(
        found.some(({ kind }) => kinds.includes(kind)),
        `seed ${seed}: ${JSON.stringify(found)}`,
      ).toBe(true)
    }
  })

  it('checks a hundred thousand calls in seconds', () => {
    const history = simulateHistory({ calls: 100_000, seed: 1, clients: 64, keys: 500 })
    const begin = performance.now()
    expect(checkHistory(history)).toEqual([])
    expect(performance.now() - begin).toBeLessThan(15_000)
  })
})
