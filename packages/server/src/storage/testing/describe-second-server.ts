import { describe, expect, test } from 'vitest'
import type { Store } from '../contract.ts'
import { attempt, changesUntil, commit, commitOne, object, put, text } from './shorthand.ts'
import type { World } from './world.ts'

/** Two servers on the same data fulfil the contract together. */
export function describeSecondServer(world: World): void {
  describe('a second server', () => {
    test('sees acknowledged commits of the first at once', async () => {
      const second = await world.under.openSecond!()
      for (let at = 0; at < 20; at++) {
        const [writer, reader] = at % 2 === 0 ? [world.store, second] : [second, world.store]
        const revision = await commitOne(writer, put(object('a'), String(at)))
        expect(await reader.get(object('a'))).toMatchObject({ revision })
        expect(await reader.now()).toBeGreaterThanOrEqual(revision)
      }
    })

    test('and the first lose no update of the same keys', async () => {
      const second = await world.under.openSecond!()
      await commit(world.store, put(object('n'), '0'))
      const countUp = async (store: Store) => {
        for (let done = 0; done < 25; ) {
          const entry = (await store.get(object('n')))!
          const outcome = await attempt(store, [
            put(object('n'), String(Number(text(entry.value)) + 1), { expect: entry.revision }),
          ])
          if (outcome.kind === 'committed') done++
        }
      }
      await Promise.all([countUp(world.store), countUp(second), countUp(world.store), countUp(second)])
      expect(text((await second.get(object('n')))?.value)).toBe('100')
    })

    test('reads the same log as the first, complete and in order', async () => {
      const second = await world.under.openSecond!()
      const start = await world.store.now()
      const count = 200
      const following = [world.store, second].map((store) => changesUntil(store, start, start + count))
      const write = async (store: Store, name: string) => {
        for (let at = 0; at < count / 4; at++) await commit(store, put(object(name), String(at)))
      }
      await Promise.all([write(world.store, 'a'), write(second, 'b'), write(world.store, 'c'), write(second, 'd')])
      for (const told of await Promise.all(following)) {
        expect(told.map((change) => change.revision)).toEqual(Array.from({ length: count }, (_, at) => start + 1 + at))
      }
    })
  })
}
