import { ManualClock } from '@hykube/machinery/base'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CompactionPolicy, minimumKeptMilliseconds, runCompaction } from './compaction-policy.ts'
import type { Store } from './contract.ts'
import { openMemoryStore } from './memory/memory-store.ts'
import { commit, object, put } from './testing/shorthand.ts'
import { testSpaces } from './testing/store-under-test.ts'

const minute = 60_000
let store: Store
let clock: ManualClock
let stop: AbortController
let running: Promise<void>

beforeEach(() => {
  store = openMemoryStore({ spaces: testSpaces })
  clock = new ManualClock()
  stop = new AbortController()
})

afterEach(async () => {
  stop.abort()
  await running
})

describe('runCompaction', () => {
  test('never compacts changes younger than five minutes', async () => {
    start({ keepMilliseconds: 1, maxBytes: 1, everyMilliseconds: minute })
    for (let at = 0; at < 5; at++) await pass(minute)
    expect((await store.statistics()).compacted).toBe(0)
  })

  test('compacts older changes', async () => {
    start({ keepMilliseconds: 10 * minute, everyMilliseconds: minute })
    for (let at = 0; at < 15; at++) await pass(minute)
    const { now, compacted } = await store.statistics()
    expect(compacted).toBeGreaterThan(0)
    expect(now - compacted).toBe(10)
  })

  test('keeps only the minimum age when the store is too large', async () => {
    start({ keepMilliseconds: 60 * minute, maxBytes: 3, everyMilliseconds: minute })
    for (let at = 0; at < 12; at++) await pass(minute)
    const { now, compacted } = await store.statistics()
    expect(now - compacted).toBe(minimumKeptMilliseconds / minute)
  })
})

function start(policy: CompactionPolicy): void {
  running = runCompaction(store, { ...policy, clock, signal: stop.signal })
}

// One write a minute, recorded when the loop waits again.
async function pass(milliseconds: number): Promise<void> {
  await asleep()
  await commit(store, put(object('a'), 'value'))
  clock.advance(milliseconds)
  await asleep()
}

async function asleep(): Promise<void> {
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve))
}
