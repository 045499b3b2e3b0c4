import type { Store } from '@hykube/server/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

test('planning visits each object once, however many paths lead to it', { timeout: 20_000 }, async () => {
  const s = await shared.scenario()
  const layers = 40
  for (let layer = 0; layer < layers; layer++)
    for (const side of ['a', 'b'])
      await s.write(`sim_null.${side}${layer}`, {
        triggers: layer === 0 ? { v: '1' } : { x: `\${sim_null.a${layer - 1}.id}`, y: `\${sim_null.b${layer - 1}.id}` },
      })
  const created = await s.apply()
  expect((await created.status()).summary).toMatchObject({ create: 2 * layers })
  await s.write('sim_null.a0', { triggers: { v: '2' } })
  expect((await (await s.plan()).status()).summary).toMatchObject({ replace: 2 * layers - 1 })
})

/** Holds back commits until some number of them wait, so that what is checked before each does not see the others. */
class Together {
  #left = 0
  #waiting: (() => void)[] = []

  /** The next `count` commits are carried out together. */
  expect(count: number): void {
    this.#left = count
  }

  readonly wrap = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const value = target[name as keyof Store] as unknown
        if (typeof value !== 'function') return value
        return name === 'commit' ? this.#commit(target) : value.bind(target)
      },
    })

  #commit(target: Store): Store['commit'] {
    return async (group) => {
      if (this.#left > 0) {
        this.#left--
        if (this.#left > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
        for (const release of this.#waiting.splice(0)) release()
      }
      return target.commit(group)
    }
  }
}

test('a dependency cycle that was written at once is blocked, with the cycle', { timeout: 20_000 }, async () => {
  const together = new Together()
  const s = await shared.scenario({ wrapStore: together.wrap })
  const write = (name: string, other: string) =>
    s.tryWrite(`sim_null.${name}`, { triggers: { x: `\${sim_null.${other}.id}` } })
  // Admission judges each write by what is stored, so two writes at once can close a cycle.
  together.expect(2)
  const answers = await Promise.all([write('p', 'q'), write('q', 'p')])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const plan = await s.plan()
  expect(await plan.lines()).toEqual(['blocked sim_null.p', 'blocked sim_null.q'])
  expect((await plan.change('sim_null.p')).message).toMatch(/dependency cycle|sim_null.q is blocked/)
})
