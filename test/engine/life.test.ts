import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

describe('the life of objects', () => {
  test('a create is planned, and happens when it is approved', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'main', cidr: '10.0.0.0/16' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_network.main'])
    expect(s.world.all().filter(({ object }) => object.name === 'main')).toEqual([])
    expect(await plan.apply()).toBe('Applied')
    const { id } = await s.attributes('sim_network.main')
    expect(s.world.read('sim_network', id)).toEqual({ id, name: 'main', cidr: '10.0.0.0/16' })
    expect(await (await s.plan()).phase()).toBe('NoChanges')
  })
})
