import { describe, expect, test } from 'vitest'
import { bytes, changesUntil, commit, commitOne, put, remove, secret, show, text } from './shorthand.ts'
import type { World } from './world.ts'

/** Encrypted spaces behave like others, and can be rotated during other calls. */
export function describeEncryption(world: World): void {
  describe('an encrypted space', () => {
    test('behaves like any other', async () => {
      const { store } = world
      const start = await store.now()
      const first = await commitOne(store, put(secret('a'), 'one', { stamp: 0 }))
      await commit(store, put(secret('a'), 'two'), put(secret('b'), ''))
      const last = await commitOne(store, remove(secret('b'), { value: bytes('final') }))
      expect(text((await store.get(secret('a')))?.value)).toBe('two')
      expect(text((await store.get(secret('a'), { revision: first }))?.value)).toBe(`${first}one`)
      expect(show((await store.scan({ space: 'secrets' })).entries)).toEqual(['a=two'])
      expect((await changesUntil(store, start, last)).map((change) => text(change.value))).toEqual([
        `${first}one`,
        'two',
        '',
        'final',
      ])
    })

    test('is rewritten by rotate at the same revisions', async () => {
      const { store, sealer } = world
      const first = await commitOne(store, put(secret('a'), 'one'))
      for (let at = 0; at < 20; at++) await commit(store, put(secret(`n${at}`), String(at)))
      await commit(store, put(secret('a'), 'two'))
      const now = await store.now()
      sealer.generation = 2
      await store.rotate()
      expect(await store.rotate()).toBe(0)
      expect(await store.now()).toBe(now)
      expect(text((await store.get(secret('a')))?.value)).toBe('two')
      expect(text((await store.get(secret('a'), { revision: first }))?.value)).toBe('one')
      expect(show((await store.scan({ space: 'secrets', prefix: ['n7'] })).entries)).toEqual(['n7=7'])
    })
  })
}
