import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

describe('a deferred change that turns out to be blocked', () => {
  test('is recorded with its reason, and the plan is only partially applied', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_bucket.many', { count: '${-size(sim_network.n.id)}', name: 'b-${count.index}' })
    await s.write('sim_null.user', { triggers: { all: '${sim_bucket.many[*].id.join(",")}' } })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_network.n', 'deferred sim_bucket.many', 'deferred sim_null.user'])
    expect(await plan.apply()).toBe('PartiallyApplied')
    expect(await plan.lines()).toEqual(['blocked sim_bucket.many', 'blocked sim_null.user', 'create sim_network.n'])
    expect((await plan.change('sim_bucket.many')).message).toContain('spec.count')
    const { summary, message, outcome } = await plan.status()
    expect(summary).toMatchObject({ create: 1, blocked: 2, deferred: 0 })
    expect(message).toMatch(/^sim_bucket\.many is blocked: .*spec\.count/)
    expect(outcome).toMatchObject({ added: 1 })
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_bucket.many', 'blocked sim_null.user'])
  })

  test('leaves the others of its wave to be applied', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_bucket.bad', { count: '${-size(sim_network.n.id)}', name: 'b-${count.index}' })
    await s.write('sim_bucket.good', { count: '${size(sim_network.n.id) > 0 ? 2 : 1}', name: 'g-${count.index}' })
    const plan = await s.apply()
    expect(await plan.phase()).toBe('PartiallyApplied')
    expect(await plan.lines()).toEqual([
      'blocked sim_bucket.bad',
      'create sim_bucket.good[0]',
      'create sim_bucket.good[1]',
      'create sim_network.n',
    ])
    expect((await plan.status()).summary).toMatchObject({ create: 3, blocked: 1, deferred: 0 })
  })
})
