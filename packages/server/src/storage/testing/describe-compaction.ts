import { describe, expect, test } from 'vitest'
import { changesUntil, commit, commitOne, mark, object, put, remove, scanAll, show, text } from './shorthand.ts'
import type { World } from './world.ts'

/** Compaction. */
export function describeCompaction(world: World): void {
  describe('compact', () => {
    test('keeps current values, and reads at and after the revision', async () => {
      const { store } = world
      const key = object('a')
      await commit(store, put(key, '1'), put(object('gone'), 'x'), put(object('kept'), 'y'), put(mark('m'), 'z'))
      await commit(store, put(key, '2'), remove(object('gone')))
      const revision = await store.now()
      const later = await commitOne(store, put(key, '3'))
      expect(await store.compact(revision)).toBe(revision)
      expect((await store.statistics()).compacted).toBe(revision)
      expect(text((await store.get(key, { revision }))?.value)).toBe('2')
      expect(text((await store.get(key, { revision: later }))?.value)).toBe('3')
      expect(show((await store.scan({ space: 'objects' }, { revision })).entries)).toEqual(['a=2', 'kept=y'])
      expect(show((await store.scan({ space: 'objects' })).entries)).toEqual(['a=3', 'kept=y'])
      expect(show((await store.scan({ space: 'marks' })).entries)).toEqual(['m=z'])
      expect(await store.count({ space: 'objects' })).toBe(2)
    })

    test('makes reads and followers before it fail with expired', async () => {
      const { store } = world
      const old = await commitOne(store, put(object('a'), '1'))
      await commitOne(store, put(object('a'), '2'))
      const revision = await commitOne(store, put(object('a'), '3'))
      await store.compact(revision)
      await expect(store.get(object('a'), { revision: old })).rejects.toMatchObject({ failure: 'expired' })
      await expect(store.get(object('never'), { revision: old })).rejects.toMatchObject({ failure: 'expired' })
      await expect(store.scan({ space: 'objects' }, { revision: old })).rejects.toMatchObject({ failure: 'expired' })
      await expect(store.scanJoined({ space: 'objects' }, { revision: old })).rejects.toMatchObject({
        failure: 'expired',
      })
      await expect(changesUntil(store, old, revision)).rejects.toMatchObject({ failure: 'expired' })
    })

    test('lets followers at the revision continue', async () => {
      const { store } = world
      const revision = await commitOne(store, put(object('a'), '1'))
      const last = await commitOne(store, put(object('a'), '2'))
      await store.compact(revision)
      expect((await changesUntil(store, revision, last)).map((change) => text(change.value))).toEqual(['2'])
    })

    test('keeps values replaced by later changes as previous values', async () => {
      const { store } = world
      const old = await commitOne(store, put(object('a'), 'old'))
      const unrelated = await commitOne(store, put(object('b'), 'x'))
      const last = await commitOne(store, put(object('a'), 'new'))
      await store.compact(unrelated)
      const [change] = await changesUntil(store, unrelated, last)
      expect(change?.previous).toBe(old)
      expect(text((await store.get(object('a'), { revision: old }))?.value)).toBe('old')
      await store.compact(last)
      await expect(store.get(object('a'), { revision: old })).rejects.toMatchObject({ failure: 'expired' })
    })

    test('fails a follower that fell behind', async () => {
      const { store } = world
      const start = await store.now()
      await commit(store, put(object('a'), '0'))
      const follower = store.changes(start)[Symbol.asyncIterator]()
      await follower.next()
      for (let at = 0; at < 20; at++) await commit(store, put(object('a'), 'x'.repeat(500_000)))
      await store.compact(await store.now())
      await expect(follower.next()).rejects.toMatchObject({ failure: 'expired' })
    })

    test('does not affect a follower that waits for the next change', async () => {
      const { store } = world
      const waiting = store.changes(await store.now(), { space: 'secrets' })[Symbol.asyncIterator]()
      let next = waiting.next()
      for (let at = 0; at < 20; at++) await commit(store, put(object('a'), String(at)))
      const now = await store.now()
      while ((await next).value.revision < now) next = waiting.next()
      next = waiting.next()
      await store.compact(now)
      const last = await commitOne(store, put(object('b'), 'x'))
      expect((await next).value.revision).toBe(last)
      await waiting.return?.(undefined)
    })

    test('below the compacted revision changes nothing, above the current one fails with future', async () => {
      const { store } = world
      await commit(store, put(object('a'), '1'), put(object('b'), '1'))
      const now = await store.now()
      await store.compact(now)
      expect(await store.compact(now - 1)).toBe(now)
      await expect(store.compact(now + 1)).rejects.toMatchObject({ failure: 'future' })
    })

    test('of everything keeps the current revision, also when the last change was a delete', async () => {
      const { store } = world
      await commit(store, put(object('a'), '1'))
      const last = await commitOne(store, remove(object('a')))
      await store.compact(last)
      expect(await store.now()).toBe(last)
      expect(await commitOne(store, put(object('a'), '2', { expect: 'absent' }))).toBe(last + 1)
      expect(await store.get(object('a'), { revision: last })).toBeUndefined()
    })

    test('of a long history runs beside commits and reads', async () => {
      const { store } = world
      for (let round = 0; round < 5; round++) {
        await commit(store, ...Array.from({ length: 300 }, (_, at) => put(object(`n${at}`), `${round}`)))
      }
      const revision = await store.now()
      const compacting = store.compact(revision)
      const writing = Promise.all(Array.from({ length: 50 }, (_, at) => commit(store, put(object(`n${at}`), 'late'))))
      expect(
        (await scanAll(store, { space: 'objects' }, { revision })).every((entry) => text(entry.value) === '4'),
      ).toBe(true)
      await Promise.all([compacting, writing])
      expect(
        (await scanAll(store, { space: 'objects' }, { revision })).every((entry) => text(entry.value) === '4'),
      ).toBe(true)
      expect(await store.count({ space: 'objects' })).toBe(300)
    })
  })
}
