import { decodeKey, type Store } from '@hykube/server/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const buckets = (count: number, prefix = 'b') => ({ count, name: `${prefix}-\${count.index}` })

/** A store that counts what is read of the states of instances. */
function countingStates() {
  const read = { states: 0 }
  const wrapStore = (store: Store) =>
    new Proxy(store, {
      get: (target, name) => {
        const value = target[name as keyof Store] as unknown
        if (typeof value !== 'function') return value
        if (name !== 'scan') return value.bind(target)
        return async (...args: Parameters<Store['scan']>) => {
          const page = await target.scan(...args)
          read.states += page.entries.filter(({ key }) => decodeKey(key).space === 'state').length
          return page
        }
      },
    })
  return { read, wrapStore }
}

describe('of many instances that are settled', () => {
  test('a plan reads those that appear or vanish, and no others', async () => {
    const { read, wrapStore } = countingStates()
    const s = await shared.scenario({ wrapStore })
    await s.write('sim_bucket.many', buckets(300))
    expect(await (await s.apply()).phase()).toBe('Applied')
    await s.write('sim_bucket.many', buckets(301))
    read.states = 0
    const up = await s.plan()
    expect(await up.lines()).toEqual(['create sim_bucket.many[300]'])
    expect(await up.apply()).toBe('Applied')
    expect(read.states).toBeLessThan(10)
    expect((await s.read('sim_bucket.many')).status.instances).toEqual({ total: 301, ready: 301 })
    await s.write('sim_bucket.many', buckets(299))
    read.states = 0
    const down = await s.plan()
    expect(await down.lines()).toHaveLength(2)
    expect(await down.apply()).toBe('Applied')
    expect(read.states).toBeLessThan(20)
    expect((await s.read('sim_bucket.many')).status.instances).toEqual({ total: 299, ready: 299 })
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('replacing one leaves all of them settled', async () => {
    const { read, wrapStore } = countingStates()
    const s = await shared.scenario({ wrapStore })
    const spec = (count: number, first: string) => ({ count, name: `\${count.index == 0 ? "${first}" : "b"}` })
    await s.write('sim_bucket.many', spec(300, 'a'))
    await s.apply()
    await s.write('sim_bucket.many', spec(300, 'c'))
    const one = await s.plan()
    expect(await one.lines()).toEqual(['replace sim_bucket.many[0]: replace_because_cannot_update'])
    expect(await one.apply()).toBe('Applied')
    await s.write('sim_bucket.many', spec(299, 'c'))
    read.states = 0
    expect(await (await s.plan()).lines()).toHaveLength(1)
    expect(read.states).toBeLessThan(10)
  })

  test('one that drifted is planned along', async () => {
    const s = await shared.scenario()
    await s.write('sim_instance.many', { count: 3, subnet_id: 's', image: 'i', size: 'small' })
    await s.apply()
    const [, { attributes }] = await s.instances('sim_instance.many')
    s.world.edit('sim_instance', attributes.id, { size: 'large' })
    await s.plan({ refresh: 'All' })
    await s.write('sim_instance.many', { count: 4, subnet_id: 's', image: 'i', size: 'small' })
    expect(await (await s.plan()).lines()).toEqual(['create sim_instance.many[3]', 'update sim_instance.many[1]'])
  })

  test('those that another plan changed since are looked at again', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3, 'a'))
    await s.apply()
    await s.write('sim_bucket.many', buckets(3, 'b'))
    const some = await s.plan()
    expect(await some.apply()).toBe('Applied')
    await s.write('sim_bucket.many', buckets(3, 'a'))
    expect(await (await s.plan()).lines()).toHaveLength(3)
  })

  test('a plan that was applied in part leaves the others to be found', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(2, 'a'))
    await s.apply()
    await s.write('sim_bucket.many', buckets(2, 'b'))
    const stale = await s.plan()
    await s.apply({ replace: ['sim_bucket.many[0]'] })
    await stale.apply()
    await s.write('sim_bucket.many', buckets(3, 'b'))
    const lines = await (await s.plan()).lines()
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual(lines)
  })

  test('of an object that was deleted and written again, nothing is believed', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(2))
    await s.apply()
    await s.delete('sim_bucket.many')
    await s.apply()
    await s.write('sim_bucket.many', buckets(2))
    expect(await (await s.plan()).lines()).toHaveLength(2)
  })
})

describe('more instances than are kept in memory', () => {
  test('can be referred to before and after they are made', async () => {
    const s = await shared.scenario()
    const many = (count: number, word: string) => ({ count, triggers: { at: `${word}-\${count.index}` } })
    await s.write('sim_null.many', many(1002, 'a'))
    await s.write('sim_null.one', { triggers: { other: '${sim_null.many[1001].triggers.at}' } })
    const first = await s.plan()
    expect((await first.change('sim_null.one')).change.after.triggers).toEqual({ other: 'a-1001' })
    expect(await first.apply()).toBe('Applied')
    await s.write('sim_null.many', many(1003, 'a'))
    expect(await (await s.plan()).lines()).toEqual(['create sim_null.many[1002]'])
    await s.write('sim_null.many', many(1001, 'a'))
    const plan = await s.plan()
    expect((await plan.change('sim_null.one')).action).toBe('blocked')
  })
})
