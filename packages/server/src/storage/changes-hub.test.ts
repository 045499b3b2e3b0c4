import { describe, expect, test } from 'vitest'
import { type ChangeLog, ChangesHub, type ChangesHubOptions } from './changes-hub.ts'
import type { Change, ChangeBatch } from './contract.ts'
import { encodeKey } from './key.ts'

describe('ChangesHub', () => {
  test('serves a thousand waiting followers without reading the log', async () => {
    const { hub, log } = createHub()
    const followers = Array.from({ length: 1000 }, () => hub.follow(0))
    const first = followers.map((follower) => follower.next())
    await Promise.resolve()
    log.commit(hub, 100)
    for (const told of await Promise.all(first)) expect(told.value?.revision).toBe(1)
    for (let round = 0; round < 10; round++) {
      const next = followers.map((follower) => follower.next())
      log.commit(hub, 100)
      await Promise.all(next)
    }
    expect(log.reads).toBe(0)
    expect(hub.followers).toBe(1000)
  })

  test('reads the log once for all followers at the same position', async () => {
    const { hub, log } = createHub({ ringBytes: 1 })
    log.commit(hub, 100)
    const told = await Promise.all(Array.from({ length: 1000 }, () => hub.follow(0).next()))
    expect(told.every((result) => result.value?.revision === 1)).toBe(true)
    expect(log.reads).toBe(1)
  })

  test('keeps no more than the ring for a stalled follower, which catches up from the log', async () => {
    const { hub, log } = createHub({ ringBytes: 1_000_000 })
    const stalled = hub.follow(0)
    const live = hub.follow(0)
    const told: number[] = []
    log.commit(hub, 10)
    await stalled.next()
    await live.next()
    const collect = async () => {
      for await (const batch of live) {
        told.push(batch.revision)
        if (batch.revision === 1001) return
      }
    }
    const collecting = collect()
    for (let at = 0; at < 1000; at++) {
      log.commit(hub, 10_000)
      expect(hub.bytes).toBeLessThanOrEqual(1_000_000)
      await Promise.resolve()
    }
    await collecting
    const readsForLive = log.reads
    const caughtUp: number[] = []
    for await (const batch of stalled) {
      caughtUp.push(...batch.changes.map((change) => change.revision))
      if (batch.revision === 1001) break
    }
    expect(caughtUp).toEqual(Array.from({ length: 1000 }, (_, at) => at + 2))
    expect(log.reads).toBeGreaterThan(readsForLive)
    expect(told.at(-1)).toBe(1001)
  })

  test('gives a follower that starts inside a batch only later changes', async () => {
    const { hub, log } = createHub()
    const listening = hub.follow(0).next()
    await Promise.resolve()
    log.append(3)
    hub.publish({ changes: log.changes, revision: 3 })
    await listening
    const { value } = await hub.follow(1).next()
    expect(value?.changes.map((change) => change.revision)).toEqual([2, 3])
  })

  test('sends followers to the log for skipped revisions', async () => {
    const { hub, log } = createHub()
    const listening = hub.follow(0).next()
    await Promise.resolve()
    log.append(2)
    hub.skip(2)
    expect((await listening).value?.changes).toHaveLength(2)
    expect(log.reads).toBe(1)
  })

  test('does not expire a waiting follower when skipped revisions are compacted', async () => {
    const { hub, log } = createHub()
    const follower = hub.follow(0, { space: 'other' })
    const next = follower.next()
    await Promise.resolve()
    for (let at = 0; at < 5; at++) log.commit(hub, 1)
    log.compactedRevision = 5
    expect((await next).value).toEqual({ changes: [], revision: 5 })
  })

  test('passes on an error of the log', async () => {
    const { hub, log } = createHub()
    log.append(1)
    hub.skip(1)
    log.failure = new Error('gone')
    await expect(hub.follow(0).next()).rejects.toThrow('gone')
    expect(hub.followers).toBe(0)
  })
})

function createHub(options: ChangesHubOptions = {}) {
  const log = new TestLog()
  return { log, hub: new ChangesHub(log, 0, { progressMilliseconds: 1, ...options }) }
}

class TestLog implements ChangeLog {
  changes: Change[] = []
  reads = 0
  compactedRevision = 0
  failure: Error | undefined

  async now() {
    return this.changes.length
  }

  compacted() {
    return this.compactedRevision
  }

  async read(after: number): Promise<ChangeBatch> {
    this.reads++
    if (this.failure !== undefined) throw this.failure
    const changes = this.changes.filter((change) => change.revision > after).slice(0, 100)
    return { changes, revision: changes.at(-1)?.revision ?? after }
  }

  append(count: number, size = 1) {
    for (let at = 0; at < count; at++) this.changes.push(createChange(this.changes.length + 1, size))
  }

  commit(hub: ChangesHub, size: number) {
    this.append(1, size)
    const change = this.changes.at(-1)!
    hub.publish({ changes: [change], revision: change.revision })
  }
}

function createChange(revision: number, size: number): Change {
  const key = encodeKey('space', [String(revision)])
  return { kind: 'put', revision, key, value: new Uint8Array(size), tag: 0, previous: undefined }
}
