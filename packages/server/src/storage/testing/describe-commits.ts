import { describe, expect, test } from 'vitest'
import { maximumKeyBytes, maximumValueBytes } from '../contract.ts'
import { encodeKey, type Key } from '../key.ts'
import { attempt, bytes, commit, commitOne, mark, object, put, remove, show, text } from './shorthand.ts'
import type { World } from './world.ts'

/** Groups: atomicity, expectations, conditions, stamps, range deletes, sizes. */
export function describeCommits(world: World): void {
  describe('commit', () => {
    test('starts at revision 1 in an empty store, which is at 0', async () => {
      expect(await world.store.now()).toBe(0)
      expect(await commitOne(world.store, put(object('a'), '1'))).toBe(1)
    })

    test('returns consecutive revisions, one per operation', async () => {
      const revisions = await commit(world.store, put(object('a'), '1'), put(mark('m'), '2'), remove(object('c')))
      expect(revisions).toEqual([revisions[0], revisions[0]! + 1, revisions[0]! + 2])
      expect(await world.store.now()).toBe(revisions[2])
    })

    test('gives later commits larger revisions', async () => {
      const first = await commitOne(world.store, put(object('a'), '1'))
      const second = await commitOne(world.store, put(object('b'), '2'))
      expect(second).toBeGreaterThan(first)
    })

    test('of an empty group returns no revisions and changes nothing', async () => {
      const now = await world.store.now()
      expect(await attempt(world.store, [])).toEqual({ kind: 'committed', revisions: [] })
      expect(await world.store.now()).toBe(now)
    })

    test('is atomic', async () => {
      await commit(world.store, put(object('there'), '1'))
      const outcome = await attempt(world.store, [
        put(object('new'), '1'),
        put(object('there'), '2', { expect: 'absent' }),
        { kind: 'delete-range', range: { space: 'marks' } },
      ])
      expect(outcome.kind).toBe('refused')
      expect(await world.store.get(object('new'))).toBeUndefined()
      expect(text((await world.store.get(object('there')))?.value)).toBe('1')
    })

    describe.each([
      ['with history', object],
      ['without history', mark],
    ])('expectations in a space %s', (_, keyOf: (name: string) => Key) => {
      const cases: readonly (readonly [state: string, expectation: string, holds: boolean])[] = [
        ['absent', 'absent', true],
        ['absent', 'present', false],
        ['absent', 'any', true],
        ['absent', 'revision', false],
        ['present', 'absent', false],
        ['present', 'present', true],
        ['present', 'any', true],
        ['present', 'revision', true],
        ['present', 'other revision', false],
        ['deleted', 'absent', true],
        ['deleted', 'present', false],
        ['deleted', 'revision', false],
      ]
      describe.each(['put', 'delete', 'condition'])('of a %s', (of) => {
        test.each(cases)('key %s, expected %s: holds %s', async (state, expectation, holds) => {
          const { store } = world
          const key = keyOf('k')
          let revision = 1
          if (state !== 'absent') revision = await commitOne(store, put(key, 'old'))
          if (state === 'deleted') revision = await commitOne(store, remove(key))
          const expect_ =
            expectation === 'revision' ? revision : expectation === 'other revision' ? revision + 1 : expectation
          const now = await store.now()
          const given = { expect: expect_ as 'any' }
          const outcome =
            of === 'condition'
              ? await attempt(store, [put(keyOf('other'), 'x')], [{ key, ...given }])
              : await attempt(store, [of === 'put' ? put(key, 'new', given) : remove(key, given)])
          const current = state === 'present' ? revision : undefined
          if (holds) expect(outcome).toEqual({ kind: 'committed', revisions: [now + 1] })
          else expect(outcome).toEqual({ kind: 'refused', failures: [{ key, current }] })
          expect(await store.now()).toBe(holds ? now + 1 : now)
        })
      })
    })

    test('returns every key with a failed expectation', async () => {
      const revision = await commitOne(world.store, put(object('a'), '1'))
      const outcome = await attempt(
        world.store,
        [
          put(object('a'), '2', { expect: 'absent' }),
          put(object('b'), '2', { expect: 'absent' }),
          remove(object('c'), { expect: 'present' }),
        ],
        [{ key: object('d'), expect: 'present' }],
      )
      expect(outcome.kind === 'refused' && new Set(outcome.failures.map(({ current }) => current))).toEqual(
        new Set([revision, undefined]),
      )
      expect(outcome.kind === 'refused' && outcome.failures.length).toBe(3)
    })

    test('checks expectations against the state before the group', async () => {
      const { store } = world
      await commit(store, put(mark('a'), '1'))
      const outcome = await attempt(store, [
        { kind: 'delete-range', range: { space: 'marks' } },
        put(mark('a'), '2', { expect: 'absent' }),
      ])
      expect(outcome.kind).toBe('refused')
    })

    test('rejects a key that is written twice in a group', async () => {
      await expect(attempt(world.store, [put(object('a'), '1'), remove(object('a'))])).rejects.toMatchObject({
        failure: 'invalid',
      })
    })

    test.each([
      [0, '0', (revision: number) => `${revision}0`],
      [2, '{""}', (revision: number) => `{"${revision}"}`],
      [3, 'abc', (revision: number) => `abc${revision}`],
    ])('stamps the revision at %i', async (stamp, value, expected) => {
      const { store } = world
      const [first, second, third] = await commit(
        store,
        put(object('a'), value, { stamp }),
        put(mark('m'), value, { stamp }),
        put(encodeKey('secrets', ['s']), value, { stamp }),
      )
      expect(text((await store.get(object('a')))?.value)).toBe(expected(first!))
      expect(text((await store.get(mark('m')))?.value)).toBe(expected(second!))
      expect(text((await store.get(encodeKey('secrets', ['s'])))?.value)).toBe(expected(third!))
    })

    test.each([-1, 4, 1.5])('rejects a stamp at %d of three bytes', async (stamp) => {
      await expect(attempt(world.store, [put(object('a'), 'abc', { stamp })])).rejects.toMatchObject({
        failure: 'invalid',
      })
    })

    test('stores tags, 0 by default', async () => {
      const { store } = world
      await commit(store, put(object('a'), '1', { tag: 2 ** 31 - 1 }), put(object('b'), '2'))
      expect((await store.get(object('a')))?.tag).toBe(2 ** 31 - 1)
      expect((await store.get(object('b')))?.tag).toBe(0)
      await expect(attempt(store, [put(object('a'), '1', { tag: 2 ** 31 })])).rejects.toMatchObject({
        failure: 'invalid',
      })
    })

    test('deletes a range in a space without history, and keeps later puts of the group', async () => {
      const { store } = world
      await commit(store, put(mark('a'), '1'), put(mark('b'), '1'), put(mark('a', 'h'), '1'), put(object('o'), '1'))
      const revisions = await commit(
        store,
        { kind: 'delete-range', range: { space: 'marks', prefix: ['g'] } },
        put(mark('b'), '2'),
      )
      expect(revisions).toHaveLength(2)
      expect(show((await store.scan({ space: 'marks' })).entries)).toEqual(['b=2', 'a=1'])
      expect(await store.get(object('o'))).toBeDefined()
    })

    test('deletes earlier puts of the group by a range delete', async () => {
      const { store } = world
      await commit(store, put(mark('a'), '1'), { kind: 'delete-range', range: { space: 'marks' } })
      expect(await store.count({ space: 'marks' })).toBe(0)
    })

    test('rejects a range delete in a space with history', async () => {
      await expect(attempt(world.store, [{ kind: 'delete-range', range: { space: 'objects' } }])).rejects.toMatchObject(
        { failure: 'invalid' },
      )
    })

    test('stores a value of 3 MiB, and rejects a larger one without changing anything', async () => {
      const { store } = world
      const value = Buffer.alloc(maximumValueBytes, 'v')
      await commit(store, { kind: 'put', key: object('large'), value, stamp: 5 })
      expect((await store.get(object('large')))?.value.length).toBeGreaterThan(maximumValueBytes)
      const larger = Buffer.alloc(maximumValueBytes + 1)
      const refused = attempt(store, [put(object('a'), '1'), { kind: 'put', key: object('b'), value: larger }])
      await expect(refused).rejects.toMatchObject({ failure: 'too-large' })
      expect(await store.get(object('a'))).toBeUndefined()
    })

    test('stores an empty value', async () => {
      await commit(world.store, put(object('a'), ''), put(mark('m'), ''))
      expect((await world.store.get(object('a')))?.value.length).toBe(0)
      expect((await world.store.get(mark('m')))?.value.length).toBe(0)
    })

    test('stores a key of 4 KiB, and rejects a longer one', async () => {
      const overhead = encodeKey('objects2', ['']).length
      const longest = encodeKey('objects2', ['k'.repeat(maximumKeyBytes - overhead)])
      await commit(world.store, put(longest, '1'))
      expect(text((await world.store.get(longest))?.value)).toBe('1')
      const longer = encodeKey('objects2', ['k'.repeat(maximumKeyBytes - overhead + 1)])
      await expect(attempt(world.store, [put(longer, '1')])).rejects.toMatchObject({ failure: 'too-large' })
      await expect(world.store.get(longer)).rejects.toMatchObject({ failure: 'too-large' })
    })

    test.each([
      ['of a space it was not opened with', encodeKey('elsewhere', ['a'])],
      ['with too few segments', encodeKey('objects', ['a'])],
      ['with too many segments', encodeKey('objects', ['a', 'b', 'c', 'd', 'e'])],
      ['that is malformed', bytes('objects') as Key],
      ['that ends in the middle of a segment', Buffer.concat([object('a'), bytes('x')]) as unknown as Key],
    ])('rejects a key %s', async (_, key) => {
      await expect(attempt(world.store, [put(key, '1')])).rejects.toMatchObject({ failure: 'invalid' })
      await expect(attempt(world.store, [], [{ key, expect: 'any' }])).rejects.toMatchObject({ failure: 'invalid' })
      await expect(world.store.get(key)).rejects.toMatchObject({ failure: 'invalid' })
    })

    test('after close fails with closed', async () => {
      await world.store.close()
      await expect(attempt(world.store, [put(object('a'), '1')])).rejects.toMatchObject({ failure: 'closed' })
      await expect(world.store.get(object('a'))).rejects.toMatchObject({ failure: 'closed' })
    })

    test('called before close still returns', async () => {
      const pending = commit(world.store, put(object('a'), '1'))
      await world.store.close()
      expect(await pending).toHaveLength(1)
    })
  })
}
