import { describe, expect, test } from 'vitest'
import { encodeKey } from '../key.ts'
import {
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

/** Scans, joined scans and counts: order, pages, snapshots, open segments. */
export function describeRanges(world: World): void {
  describe('scan', () => {
    test('returns keys in the order of their segments', async () => {
      const { store } = world
      const names = ['b', 'a', 'ab', 'a-', 'B', 'é', '', 'a\0']
      for (const name of names) await commit(store, put(object(name), name))
      const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect((await store.scan({ space: 'objects' })).entries.map((entry) => text(entry.value))).toEqual(sorted)
    })

    test.each([
      ['the whole space', [], ['a', 'b', 'c', 'd', 'e']],
      ['one cluster', ['root'], ['a', 'b', 'c', 'd']],
      ['one resource', ['root', 'pods'], ['a', 'b', 'c']],
      ['one namespace', ['root', 'pods', 'n1'], ['a', 'b']],
      ['one key', ['root', 'pods', 'n1', 'b'], ['b']],
      ['nothing', ['root', 'pods', 'n'], []],
      ['a resource across clusters', [undefined, 'pods'], ['a', 'b', 'c', 'e']],
      ['a namespace across clusters and resources', [undefined, undefined, 'n1'], ['a', 'b', 'd', 'e']],
      ['a namespace of one cluster across resources', ['root', undefined, 'n1'], ['a', 'b', 'd']],
      ['a name in any namespace', [undefined, 'pods', undefined, 'e'], ['e']],
      ['only open segments', [undefined, undefined], ['a', 'b', 'c', 'd', 'e']],
    ])('of %s', async (_, prefix, expected) => {
      const { store } = world
      await commit(
        store,
        put(object('a', 'n1'), ''),
        put(object('b', 'n1'), ''),
        put(object('c', 'n2'), ''),
        put(object('d', 'n1', 'secrets'), ''),
        put(object('e', 'n1', 'pods', 'team'), ''),
        put(mark('m'), ''),
      )
      const range = { space: 'objects', prefix }
      expect(show((await store.scan(range)).entries)).toEqual(expected.map((name) => `${name}=`))
      expect(show(await scanAll(store, range, { limit: 1 }))).toEqual(expected.map((name) => `${name}=`))
      expect(await store.count(range)).toBe(expected.length)
    })

    test('skips in a space without history too, and deletes such a range', async () => {
      const { store } = world
      await commit(store, put(mark('x', 'a'), '1'), put(mark('y', 'a'), '2'), put(mark('x', 'b'), '3'))
      const range = { space: 'marks', prefix: [undefined, 'x'] }
      expect(show((await store.scan(range)).entries)).toEqual(['x=1', 'x=3'])
      await commit(store, { kind: 'delete-range', range })
      expect(show((await store.scan({ space: 'marks' })).entries)).toEqual(['y=2'])
    })

    test.each([
      ['an unknown space', { space: 'elsewhere' }],
      ['more segments than the space has', { space: 'objects', prefix: ['a', 'b', 'c', 'd', 'e'] }],
      ['a segment left open at the skip position', { space: 'objects', prefix: ['a', 'b', 'c', undefined] }],
      ['a segment left open in a space without skip', { space: 'object', prefix: [undefined, 'b'] }],
    ])('rejects %s', async (_, range) => {
      await expect(world.store.scan(range)).rejects.toMatchObject({ failure: 'invalid' })
      await expect(world.store.scanJoined(range)).rejects.toMatchObject({ failure: 'invalid' })
      await expect(world.store.count(range)).rejects.toMatchObject({ failure: 'invalid' })
    })

    test.each([0, -1, 1.5])('rejects a page of %d entries', async (limit) => {
      await expect(world.store.scan({ space: 'objects' }, { limit })).rejects.toMatchObject({ failure: 'invalid' })
    })

    test('has 500 entries per page by default, and the start of the next one', async () => {
      const { store } = world
      await commit(store, ...numbered(501))
      const page = await store.scan({ space: 'objects' })
      expect(page.entries).toHaveLength(500)
      expect(page.last).toEqual(page.entries.at(-1)!.key)
      const rest = await store.scan({ space: 'objects' }, { revision: page.revision, after: page.last! })
      expect(rest.entries).toHaveLength(1)
      expect(rest.last).toBeUndefined()
    })

    test('of exactly one page has no next one', async () => {
      await commit(world.store, ...numbered(3))
      expect((await world.store.scan({ space: 'objects' }, { limit: 3 })).last).toBeUndefined()
    })

    test('reads pages at a pinned revision while everything changes', async () => {
      const { store } = world
      await commit(store, ...numbered(50))
      const first = await store.scan({ space: 'objects' }, { limit: 7 })
      await commit(store, remove(object('00010')), put(object('00020'), 'changed'), put(object('000155'), 'new'))
      await commit(store, remove(object('00020')), put(object('00030'), 'changed'))
      const entries = [...first.entries]
      for (let last = first.last; last !== undefined; ) {
        const page = await store.scan({ space: 'objects' }, { limit: 7, after: last, revision: first.revision })
        expect(page.revision).toBe(first.revision)
        entries.push(...page.entries)
        last = page.last
      }
      expect(show(entries)).toEqual(
        numbered(50).map((operation) => `${text(operation.value)}=${text(operation.value)}`),
      )
    })

    test('above the current revision fails with future, and in a space without history with invalid', async () => {
      const now = await world.store.now()
      await expect(world.store.scan({ space: 'objects' }, { revision: now + 1 })).rejects.toMatchObject({
        failure: 'future',
      })
      await expect(world.store.scan({ space: 'marks' }, { revision: now })).rejects.toMatchObject({
        failure: 'invalid',
      })
    })

    test('returns values of every size', async () => {
      const { store } = world
      const numbers = createNumbers(1)
      const sizes = Array.from({ length: 40 }, () => Math.floor(numbers() ** 4 * 100_000))
      for (const [at, size] of sizes.entries())
        await commit(store, put(object(String(at).padStart(3, '0')), 'x'.repeat(size)))
      const { entries } = await store.scan({ space: 'objects' })
      expect(entries.map((entry) => entry.value.length)).toEqual(sizes)
    })
  })

  describe('scanJoined', () => {
    test('returns the same page with the values joined by commas', async () => {
      const { store } = world
      await commit(store, ...numbered(20))
      await commit(store, put(object('00003'), ''), put(object('00004'), 'ünï,\0code'), remove(object('00005')))
      for (const options of [{}, { limit: 6 }, { limit: 5, after: object('00002') }]) {
        const page = await store.scan({ space: 'objects' }, options)
        const joined = await store.scanJoined({ space: 'objects' }, options)
        expect(text(joined?.bytes)).toBe(page.entries.map((entry) => text(entry.value)).join(','))
        expect(joined).toMatchObject({ count: page.entries.length, revision: page.revision })
        expect(joined?.last).toEqual(page.last)
      }
    })

    test('reads at a pinned revision', async () => {
      const { store } = world
      await commit(store, ...numbered(5))
      const revision = await store.now()
      await commit(store, put(object('00001'), 'changed'), remove(object('00002')))
      expect(text((await store.scanJoined({ space: 'objects' }, { revision }))?.bytes)).toBe(
        '00000,00001,00002,00003,00004',
      )
    })

    test('of an empty range is empty', async () => {
      expect(await world.store.scanJoined({ space: 'objects' })).toMatchObject({
        count: 0,
        bytes: expect.objectContaining({ length: 0 }),
      })
    })

    test('returns undefined when a value has another tag, or the space is encrypted', async () => {
      const { store } = world
      await commit(store, put(object('a'), '1'), put(object('b'), '2', { tag: 1 }), put(secret('s'), '3'))
      expect(await store.scanJoined({ space: 'objects' })).toBeUndefined()
      expect(await store.scanJoined({ space: 'secrets' })).toBeUndefined()
      expect(text((await store.scanJoined({ space: 'objects' }, { limit: 1 }))?.bytes)).toBe('1')
    })

    test('uses the tags of the pinned revision', async () => {
      const { store } = world
      const tagged = await commitOne(store, put(object('a'), '1', { tag: 1 }))
      const plain = await commitOne(store, put(object('a'), '2'))
      expect(await store.scanJoined({ space: 'objects' }, { revision: tagged })).toBeUndefined()
      expect(text((await store.scanJoined({ space: 'objects' }, { revision: plain }))?.bytes)).toBe('2')
    })
  })

  describe('count', () => {
    test('follows puts, deletes and rewrites', async () => {
      const { store } = world
      await commit(store, ...numbered(10), put(mark('m'), '1'))
      await commit(store, remove(object('00001')), put(object('00002'), 'again'), remove(object('absent')))
      expect(await store.count({ space: 'objects' })).toBe(9)
      await commit(store, put(object('00001'), 'back'))
      expect(await store.count({ space: 'objects' })).toBe(10)
      expect(await store.count({ space: 'marks' })).toBe(1)
      expect((await store.statistics()).keys).toBe(11)
    })

    test('is correct for thousands of keys in random order', async () => {
      const { store } = world
      const numbers = createNumbers(2)
      const names = new Set<string>()
      for (let round = 0; round < 10; round++) {
        const added = Array.from({ length: 400 }, () => String(Math.floor(numbers() * 1e9)))
        await commit(store, ...[...new Set(added)].map((name) => put(object(name, name[0]), name)))
        for (const name of added) names.add(name)
        const gone = [...names].filter(() => numbers() < 0.3)
        await commit(store, ...gone.map((name) => remove(object(name, name[0]))))
        for (const name of gone) names.delete(name)
      }
      expect(await store.count({ space: 'objects' })).toBe(names.size)
      for (const digit of '123456789') {
        const count = await store.count({ space: 'objects', prefix: ['root', 'pods', digit] })
        expect(count).toBe([...names].filter((name) => name[0] === digit).length)
      }
      const sorted = [...names].sort((a, b) => Buffer.compare(encodeKey(a[0]!, [a]), encodeKey(b[0]!, [b])))
      expect((await scanAll(store, { space: 'objects' })).map((entry) => text(entry.value))).toEqual(sorted)
    })
  })
}

function numbered(count: number) {
  return Array.from({ length: count }, (_, at) => {
    const name = String(at).padStart(5, '0')
    return put(object(name), name)
  })
}
