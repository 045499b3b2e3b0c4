import { describe, expect, test } from 'vitest'
import { encodeKey } from '../key.ts'
import { commit, commitOne, mark, object, put, remove, text } from './shorthand.ts'
import type { World } from './world.ts'

/** Reads of single keys, now and at past revisions. */
export function describeReads(world: World): void {
  describe('get', () => {
    test('returns the committed value with its revision and tag', async () => {
      const revision = await commitOne(world.store, put(object('a'), '1', { tag: 7 }))
      expect(await world.store.get(object('a'))).toMatchObject({ key: object('a'), revision, tag: 7 })
    })

    test('returns undefined for deleted and unknown keys', async () => {
      await commit(world.store, put(object('a'), '1'), put(mark('m'), '1'))
      await commit(world.store, remove(object('a')), remove(mark('m')))
      expect(await world.store.get(object('a'))).toBeUndefined()
      expect(await world.store.get(mark('m'))).toBeUndefined()
      expect(await world.store.get(object('never'))).toBeUndefined()
    })

    test('at a revision returns the value of that revision', async () => {
      const { store } = world
      const key = object('a')
      const before = await store.now()
      const created = await commitOne(store, put(key, '1'))
      const updated = await commitOne(store, put(key, '2'))
      const deleted = await commitOne(store, remove(key))
      const again = await commitOne(store, put(key, '3'))
      const seen = await Promise.all(
        [before, created, updated, deleted, again].map((revision) => store.get(key, { revision })),
      )
      expect(seen.map((entry) => text(entry?.value))).toEqual([undefined, '1', '2', undefined, '3'])
      expect(seen.map((entry) => entry?.revision)).toEqual([undefined, created, updated, undefined, again])
    })

    test('above the current revision fails with future', async () => {
      const revision = (await world.store.now()) + 1
      await expect(world.store.get(object('a'), { revision })).rejects.toMatchObject({ failure: 'future' })
    })

    test('at a revision in a space without history fails with invalid', async () => {
      const revision = await commitOne(world.store, put(mark('m'), '1'))
      await expect(world.store.get(mark('m'), { revision })).rejects.toMatchObject({ failure: 'invalid' })
    })

    test.each([-1, 0.5, Number.NaN])('at %d, which is not a revision, fails with invalid', async (revision) => {
      await expect(world.store.get(object('a'), { revision })).rejects.toMatchObject({ failure: 'invalid' })
    })
  })

  describe('hostile keys', () => {
    const names = [
      '',
      '\0',
      '\0\x01',
      '\x01',
      '\0\xff',
      'a',
      'a\0',
      'a\0\x01b',
      'a/b',
      '../x',
      '%',
      '_',
      "'",
      'ÿ',
      '\u{10ffff}',
      '\n',
    ]
    test('are distinct and stay in their ranges', async () => {
      const { store } = world
      for (const name of names)
        await commit(store, ...names.map((other) => put(object(other, name), `${name}|${other}`)))
      for (const namespace of names) {
        const page = await store.scan({ space: 'objects', prefix: ['root', 'pods', namespace] })
        expect(page.entries.map((entry) => text(entry.value)).sort()).toEqual(
          names.map((name) => `${namespace}|${name}`).sort(),
        )
        expect(await store.count({ space: 'objects', prefix: ['root', 'pods', namespace] })).toBe(names.length)
      }
    })

    test('of one space never appear in another with a similar name', async () => {
      const { store } = world
      await commit(
        store,
        put(object('a'), '1'),
        put(encodeKey('object', ['s', '', '', '']), '2'),
        put(encodeKey('objects2', ['']), '3'),
      )
      for (const space of ['objects', 'object', 'objects2'])
        expect((await store.scan({ space })).entries).toHaveLength(1)
    })
  })
}
