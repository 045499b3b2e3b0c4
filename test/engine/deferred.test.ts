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

describe('an object whose instances are known only after a replacement', () => {
  const stays = 'is known only after other changes are applied'

  test('does not hold the replacement up when only its count follows from it', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_bucket.many', { count: '${size(sim_network.n.id) > 3 ? 2 : 1}', name: 'b-${count.index}' })
    await s.apply()
    const { id } = await s.attributes('sim_network.n')
    expect(await (await s.apply({ replace: ['sim_network.n'] })).phase()).toBe('Applied')
    expect(s.world.read('sim_network', id)).toBeUndefined()
  })

  test.each([
    ['an attribute', { count: '${size(sim_network.n.id) > 3 ? 2 : 1}', network_id: '${sim_network.n.id}' }],
    ['its keys', { for_each: '${[sim_network.n.id]}', network_id: '${each.key}' }],
  ])('holds it up when %s holds a value of what is replaced', async (_, subnet) => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_subnet.s', { ...subnet, cidr: '10.0.1.0/24' })
    await s.apply()
    const { id } = await s.attributes('sim_network.n')
    const plan = await s.apply({ replace: ['sim_network.n'] })
    expect((await plan.change('sim_network.n')).message).toMatch(/^sim_subnet\.s\[.*\] uses it and stays: /)
    expect((await plan.change('sim_network.n')).message).toContain(stays)
    expect(s.world.read('sim_network', id)).toBeDefined()
  })

  test('holds it up when its provider is configured from what is replaced', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.configure({ seed: '${size(sim_network.n.id)}' }, 'from-network')
    await s.write('sim_bucket.b', { name: 'b', provider: 'from-network' })
    await s.apply()
    const { id } = await s.attributes('sim_network.n')
    const plan = await s.apply({ replace: ['sim_network.n'] })
    expect((await plan.change('sim_network.n')).message).toContain('sim_bucket.b uses it and stays')
    expect(s.world.read('sim_network', id)).toBeDefined()
  })
})
