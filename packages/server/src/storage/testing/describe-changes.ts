import { describe, expect, test } from 'vitest'
import type { ChangeBatch } from '../contract.ts'
import {
  attempt,
  batchesUntil,
  bytes,
  changesUntil,
  commit,
  commitOne,
  mark,
  object,
  put,
  remove,
  secret,
  text,
} from './shorthand.ts'
import type { World } from './world.ts'

/** The log of changes and its followers. */
export function describeChanges(world: World): void {
  describe('changes', () => {
    test('contain every write in order, with the revision it replaced', async () => {
      const { store } = world
      const start = await store.now()
      const created = await commitOne(store, put(object('a'), '1', { tag: 3 }))
      const updated = await commitOne(store, put(object('a'), '2', { expect: created }))
      const deleted = await commitOne(store, remove(object('a'), { value: bytes('final'), tag: 4 }))
      const again = await commitOne(store, put(object('a'), '3'))
      const changes = await changesUntil(store, start, again)
      expect(changes).toEqual([
        { kind: 'put', revision: created, key: object('a'), value: changes[0]?.value, tag: 3, previous: undefined },
        { kind: 'put', revision: updated, key: object('a'), value: changes[1]?.value, tag: 0, previous: created },
        { kind: 'delete', revision: deleted, key: object('a'), value: changes[2]?.value, tag: 4, previous: updated },
        { kind: 'put', revision: again, key: object('a'), value: changes[3]?.value, tag: 0, previous: undefined },
      ])
      expect(changes.map((change) => text(change.value))).toEqual(['1', '2', 'final', '3'])
    })

    test('contain a stamped delete with its revision, and one without bytes as empty', async () => {
      const { store } = world
      const start = await commitOne(store, put(object('b'), '1'))
      await commitOne(store, put(object('a'), '1'))
      const first = await commitOne(store, remove(object('a'), { value: bytes('<>'), stamp: 1 }))
      const second = await commitOne(store, remove(object('b')))
      const changes = await changesUntil(store, start, second)
      expect(changes.slice(1).map((change) => text(change.value))).toEqual([`<${first}>`, ''])
    })

    test('allow reading the replaced value', async () => {
      const { store } = world
      const start = await commitOne(store, put(object('a'), 'old'))
      const last = await commitOne(store, put(object('a'), 'new'))
      const [change] = await changesUntil(store, start, last)
      expect(text((await store.get(object('a'), { revision: change!.previous! }))?.value)).toBe('old')
    })

    test('leave out spaces without history, refused groups and deletes of absent keys', async () => {
      const { store } = world
      const start = await store.now()
      await commit(store, put(mark('m'), '1'), put(object('a'), '1'), remove(object('absent')))
      await attempt(store, [put(object('x'), '1', { expect: 'present' })])
      await commit(store, { kind: 'delete-range', range: { space: 'marks' } })
      const changes = await changesUntil(store, start, await store.now())
      expect(changes.map((change) => change.key)).toEqual([object('a')])
    })

    test('of one space only', async () => {
      const { store } = world
      const start = await store.now()
      await commit(store, put(object('a'), '1'), put(secret('s'), '2'))
      const last = await commitOne(store, put(object('b'), '3'))
      const batches = await batchesUntil(store, start, last, { space: 'secrets' })
      expect(batches.flatMap((batch) => batch.changes.map((change) => text(change.value)))).toEqual(['2'])
    })

    test('of an unknown space or one without history are rejected', async () => {
      for (const space of ['elsewhere', 'marks']) {
        await expect(async () => {
          for await (const _ of world.store.changes(0, { space })) break
        }).rejects.toMatchObject({ failure: 'invalid' })
      }
    })

    test('from above the current revision fail with future', async () => {
      const after = (await world.store.now()) + 1
      await expect(async () => {
        for await (const _ of world.store.changes(after)) break
      }).rejects.toMatchObject({ failure: 'future' })
    })

    test('arrive in whole groups', async () => {
      const { store } = world
      const start = await store.now()
      for (let group = 0; group < 30; group++) {
        await commit(
          store,
          put(mark('m'), 'x'),
          put(object(`${group}a`), 'x'),
          put(mark('n'), 'x'),
          put(object(`${group}b`), 'x'),
        )
      }
      for (const batch of await batchesUntil(store, start, await store.now())) expect(batch.changes.length % 2).toBe(0)
    })

    test('continue from the log with new commits', async () => {
      const { store } = world
      const start = await store.now()
      await commit(store, put(object('before'), '1'))
      const told: string[] = []
      const following = (async () => {
        for await (const batch of store.changes(start)) {
          told.push(...batch.changes.map((change) => text(change.value)!))
          if (told.length === 101) break
        }
      })()
      for (let at = 0; at < 100; at++) await commit(store, put(object('live'), String(at)))
      await following
      expect(told).toEqual(['1', ...Array.from({ length: 100 }, (_, at) => String(at))])
    })

    test('of a large group, and of large values, are complete', async () => {
      const { store } = world
      const start = await store.now()
      await commit(store, ...Array.from({ length: 1500 }, (_, at) => put(object(`n${at}`), String(at))))
      for (let at = 0; at < 6; at++) await commit(store, put(object('large'), 'x'.repeat(1_000_000)))
      const changes = await changesUntil(store, start, await store.now())
      expect(changes.map((change) => change.revision)).toEqual(Array.from({ length: 1506 }, (_, at) => start + 1 + at))
    })

    test('can be resumed from any batch, missing nothing and repeating nothing', async () => {
      const { store } = world
      const start = await store.now()
      for (let at = 0; at < 40; at++) await commit(store, put(object('a'), String(at)), put(mark('m'), 'x'))
      const last = await store.now()
      const told: string[] = []
      for (let position = start; position < last; ) {
        for await (const batch of store.changes(position)) {
          told.push(...batch.changes.map((change) => text(change.value)!))
          position = batch.revision
          break
        }
      }
      expect(told).toEqual(Array.from({ length: 40 }, (_, at) => String(at)))
    })

    test('report progress without changes for the follower', async () => {
      const { store } = world
      const start = await store.now()
      const iterator = store.changes(start, { space: 'secrets' })[Symbol.asyncIterator]()
      const first = iterator.next()
      await commit(store, put(mark('m'), '1'), put(object('a'), '2'))
      const now = await store.now()
      let batch = (await first).value as ChangeBatch
      while (batch.revision < now) batch = (await iterator.next()).value
      expect(batch).toEqual({ changes: [], revision: now })
      await iterator.return?.()
    })

    test('end without error when the signal aborts, before or while waiting', async () => {
      const { store } = world
      for await (const _ of store.changes(0, { signal: AbortSignal.abort() })) expect.unreachable()
      const controller = new AbortController()
      const waiting = store
        .changes(await store.now(), { signal: controller.signal })
        [Symbol.asyncIterator]()
        .next()
      controller.abort()
      expect(await waiting).toEqual({ done: true, value: undefined })
    })

    test('end when the store closes', async () => {
      const waiting = world.store
        .changes(await world.store.now())
        [Symbol.asyncIterator]()
        .next()
      await world.store.close()
      expect((await waiting).done).toBe(true)
    })

    test('reach many followers, waiting and late ones, in the same order', async () => {
      const { store } = world
      const start = await store.now()
      const count = 120
      const follow = async (skip: number) => {
        const told: number[] = []
        for await (const batch of store.changes(start + skip)) {
          told.push(...batch.changes.map((change) => change.revision))
          if (batch.revision >= start + count) return told
        }
        return told
      }
      const followers = Array.from({ length: 50 }, () => follow(0))
      for (let at = 0; at < count; at++) {
        await commit(store, put(object(`n${at % 7}`), 'x'.repeat(2000)))
        if (at % 20 === 0) followers.push(follow(0))
      }
      followers.push(follow(0))
      const expected = Array.from({ length: count }, (_, at) => start + 1 + at)
      for (const told of await Promise.all(followers)) expect(told).toEqual(expected)
      expect((await store.statistics()).followers).toBe(0)
    })

    test('are kept for a follower that does not read, at no cost to others', async () => {
      const { store } = world
      const start = await store.now()
      const stalled = store.changes(start)[Symbol.asyncIterator]()
      await commit(store, put(object('first'), '1'))
      const first = (await stalled.next()).value as ChangeBatch
      expect(first.changes).toHaveLength(1)
      const large = 'x'.repeat(100_000)
      for (let at = 0; at < 100; at++) await commit(store, put(object(`n${at}`), large))
      const revisions = first.changes.map((change) => change.revision)
      while (revisions.length < 101)
        revisions.push(...((await stalled.next()).value as ChangeBatch).changes.map((change) => change.revision))
      expect(revisions).toEqual(Array.from({ length: 101 }, (_, at) => start + 1 + at))
      await stalled.return?.()
    })
  })
}
