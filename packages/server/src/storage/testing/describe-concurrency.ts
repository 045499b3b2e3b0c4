import { describe, expect, test } from 'vitest'
import type { Revision } from '../contract.ts'
import { attempt, bytes, changesUntil, commit, commitOne, mark, object, put, text } from './shorthand.ts'
import type { World } from './world.ts'

/** Concurrent calls: linearizability. */
export function describeConcurrency(world: World): void {
  describe('concurrent commits', () => {
    test('of one absent key: exactly one creates it, the others get its revision', async () => {
      const { store } = world
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, at) => attempt(store, [put(object('a'), String(at), { expect: 'absent' })])),
      )
      const committed = outcomes.filter((outcome) => outcome.kind === 'committed')
      expect(committed).toHaveLength(1)
      const [revision] = committed[0]!.revisions
      for (const outcome of outcomes) {
        if (outcome.kind === 'refused') expect(outcome.failures).toEqual([{ key: object('a'), current: revision }])
      }
    })

    test.each([
      ['with history', object],
      ['without history', mark],
    ])('that increment by compare-and-set lose no update, in a space %s', async (_, keyOf) => {
      const { store } = world
      const keys = [keyOf('x'), keyOf('y'), keyOf('z')]
      for (const key of keys) await commit(store, put(key, '0'))
      const countUp = async (worker: number) => {
        for (let done = 0; done < 20; ) {
          const key = keys[(worker + done) % keys.length]!
          const entry = (await store.get(key))!
          const outcome = await attempt(store, [
            put(key, String(Number(text(entry.value)) + 1), { expect: entry.revision }),
          ])
          if (outcome.kind === 'committed') done++
        }
      }
      await Promise.all(Array.from({ length: 12 }, (_, worker) => countUp(worker)))
      const totals = await Promise.all(keys.map(async (key) => Number(text((await store.get(key))?.value))))
      expect(totals.reduce((sum, total) => sum + total)).toBe(240)
    })

    test('are seen by every read that starts after their result', async () => {
      const { store } = world
      let highest: Revision = 0
      const writer = async (name: string) => {
        for (let at = 0; at < 30; at++) {
          const revision = await commitOne(store, put(object(name), String(at)))
          highest = Math.max(highest, revision)
        }
      }
      const reader = async () => {
        for (let at = 0; at < 60; at++) {
          const acknowledged = highest
          expect(await store.now()).toBeGreaterThanOrEqual(acknowledged)
          expect((await store.scan({ space: 'objects' })).revision).toBeGreaterThanOrEqual(acknowledged)
        }
      }
      await Promise.all([...Array.from({ length: 8 }, (_, at) => writer(`w${at}`)), reader(), reader()])
    })

    test('of groups are never seen partially', async () => {
      const { store } = world
      const write = async (worker: number) => {
        for (let at = 0; at < 25; at++)
          await commit(store, put(object('left'), `${worker}-${at}`), put(object('right'), `${worker}-${at}`))
      }
      const read = async () => {
        for (let at = 0; at < 50; at++) {
          const values = (await store.scan({ space: 'objects' })).entries.map((entry) => text(entry.value))
          expect(new Set(values).size).toBeLessThanOrEqual(1)
        }
      }
      await Promise.all([write(1), write(2), write(3), read(), read()])
    })

    test('appear in the log in the order of their revisions, none missing', async () => {
      const { store } = world
      const start = await store.now()
      const revisions = await Promise.all(
        Array.from({ length: 300 }, (_, at) => commitOne(store, put(object(`n${at % 9}`), String(at)))),
      )
      const changes = await changesUntil(store, start, await store.now())
      expect(changes.map((change) => change.revision)).toEqual([...revisions].sort((a, b) => a - b))
      for (const change of changes) expect(revisions[Number(text(change.value))]).toBe(change.revision)
    })

    test('that fail do not affect others', async () => {
      const { store } = world
      const outcomes = await Promise.allSettled([
        commit(store, put(object('a'), '1')),
        attempt(store, [{ kind: 'put', key: object('b'), value: bytes('x'), stamp: 99 }]),
        attempt(store, [put(object('a'), '2', { expect: 12345 })]),
        commit(store, put(object('c'), '3')),
      ])
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      expect(text((await store.get(object('a')))?.value)).toBe('1')
      expect(text((await store.get(object('c')))?.value)).toBe('3')
    })
  })
}
