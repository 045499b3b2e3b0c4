import { describe, expect, test } from 'vitest'
import {
  bytes,
  changesUntil,
  commit,
  commitOne,
  createNumbers,
  mark,
  object,
  put,
  remove,
  scanAll,
  secret,
  show,
  text,
} from './shorthand.ts'
import type { World } from './world.ts'

/** State of a store after it is reopened. */
export function describeReopening(world: World): void {
  describe('a reopened store', () => {
    test('has values, tags, deletes, marks and history', async () => {
      const first = await commitOne(world.store, put(object('a'), '1', { tag: 5 }))
      await commit(
        world.store,
        put(object('a'), '2', { tag: 6 }),
        put(object('b'), '1'),
        put(mark('m'), '1'),
        put(secret('s'), '9'),
      )
      const last = (await commit(world.store, remove(object('b')), put(mark('m'), '2')))[1]!
      const store = await world.reopen()
      expect(await store.now()).toBe(last)
      expect(await store.get(object('a'))).toMatchObject({ tag: 6 })
      expect(await store.get(object('a'), { revision: first })).toMatchObject({ tag: 5, revision: first })
      expect(await store.get(object('b'))).toBeUndefined()
      expect(text((await store.get(object('b'), { revision: last - 2 }))?.value)).toBe('1')
      expect(text((await store.get(mark('m')))?.value)).toBe('2')
      expect(text((await store.get(secret('s')))?.value)).toBe('9')
      expect(await store.count({ space: 'objects' })).toBe(1)
    })

    test('continues with the next revision', async () => {
      const lasts = [
        () => commit(world.store, put(object('a'), '1')),
        () => commit(world.store, remove(object('absent'))),
        () => commit(world.store, put(mark('m'), '1')),
        () => commit(world.store, remove(mark('m'))),
        () => commit(world.store, { kind: 'delete-range', range: { space: 'marks' } }),
        () => commit(world.store, put(object('b'), '1'), remove(mark('absent'))),
      ]
      for (const last of lasts) {
        const revision = (await last()).at(-1)!
        await world.reopen()
        expect(await world.store.now()).toBe(revision)
        expect(await commitOne(world.store, put(object('n'), 'x'))).toBe(revision + 1)
      }
    })

    test('has the same changes', async () => {
      await commit(world.store, put(object('a'), '1'), put(object('b'), '1'))
      await commit(world.store, remove(object('a'), { value: bytes('final') }), put(object('a2'), '1'))
      const last = await commitOne(world.store, put(object('a'), '2'))
      const before = await changesUntil(world.store, 0, last)
      const store = await world.reopen()
      expect(plain(await changesUntil(store, 0, last))).toEqual(plain(before))
    })

    test('has the compacted revision', async () => {
      const old = await commitOne(world.store, put(object('a'), '1'))
      await commit(world.store, put(object('a'), '2'), remove(object('x')))
      const last = await commitOne(world.store, remove(object('a')))
      await world.store.compact(last)
      const store = await world.reopen()
      expect(await store.now()).toBe(last)
      expect((await store.statistics()).compacted).toBe(last)
      await expect(store.get(object('a'), { revision: old })).rejects.toMatchObject({ failure: 'expired' })
      expect(await commitOne(store, put(object('a'), '3', { expect: 'absent' }))).toBe(last + 1)
    })

    test('has thousands of keys in order', async () => {
      const numbers = createNumbers(3)
      const names = new Set(
        Array.from({ length: 3000 }, () => `${'p'.repeat(Math.floor(numbers() * 4))}${Math.floor(numbers() * 1e6)}`),
      )
      await commit(world.store, ...[...names].map((name) => put(object(name), '1')))
      await commit(world.store, ...[...names].filter((name) => name.endsWith('7')).map((name) => remove(object(name))))
      await commit(
        world.store,
        ...[...names].filter((name) => name.endsWith('3')).map((name) => put(object(name), '2')),
      )
      const before = show(await scanAll(world.store, { space: 'objects' }))
      const store = await world.reopen()
      expect(show(await scanAll(store, { space: 'objects' }))).toEqual(before)
      expect(await store.count({ space: 'objects' })).toBe(before.length)
    })
  })
}

function plain(changes: readonly { readonly value: Uint8Array; readonly key: Uint8Array }[]) {
  return changes.map((change) => ({
    ...change,
    value: text(change.value),
    key: Buffer.from(change.key).toString('hex'),
  }))
}
