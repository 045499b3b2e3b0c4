import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failing } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const place = { cluster: 'root', group: 'sim.hykube.io', resource: 'sim-buckets', namespace: 'default', name: 'none' }

/** The changes of the next plan, which must equal those of a plan over all objects. */
async function shown(s: Scenario): Promise<string[]> {
  const lines = await (await s.plan()).lines()
  expect(await (await s.plan({ scope: 'All' })).lines()).toEqual(lines)
  return lines
}

describe('the next plan finds', () => {
  test('the old object of a replacement, when what used it could not be replaced', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    const lifecycle = { create_before_destroy: true }
    await s.write('sim_subnet.s', { network_id: '${sim_network.n.id}', cidr: '10.0.1.0/24', lifecycle })
    expect(await (await s.apply()).phase()).toBe('Applied')
    failing(s, (call) => call === '+ sim_subnet')
    expect(await (await s.apply({ replace: ['sim_network.n'] })).phase()).toBe('PartiallyApplied')
    s.engine.providers.intercept = () => undefined
    expect(await shown(s)).toEqual([
      'delete sim_network.n (deposed)',
      'replace (create-first) sim_subnet.s: replace_because_cannot_update',
    ])
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await shown(s)).toEqual([])
    expect(s.world.all().filter(({ type }) => type === 'sim_network')).toHaveLength(1)
  })

  test('nothing, when the old objects of many instances were destroyed', async () => {
    const s = await shared.scenario()
    const lifecycle = { create_before_destroy: true }
    await s.write('sim_null.t', { count: 20, triggers: { a: '1' }, lifecycle })
    expect(await (await s.apply()).phase()).toBe('Applied')
    await s.write('sim_null.t', { count: 20, triggers: { a: '2' }, lifecycle })
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await shown(s)).toEqual([])
  })

  test.each(['planned', 'not planned'])(
    'a change that another one would have made needless, which was %s before and never applied',
    async (before) => {
      const s = await shared.scenario()
      const network = (name: string) => s.write('sim_network.n', { name, cidr: '10.0.0.0/16' })
      await network('a')
      await s.write('sim_null.t', { triggers: { a: '${sim_network.n.name}' } })
      expect(await (await s.apply()).phase()).toBe('Applied')
      await network('b')
      expect(await (await s.apply({ targets: ['sim_network.n'] })).phase()).toBe('Applied')
      if (before === 'planned') await s.plan()
      await network('a')
      expect(await shown(s)).toEqual(['update sim_network.n'])
      await network('b')
      expect(await shown(s)).toEqual(['replace sim_null.t: replace_because_cannot_update'])
    },
  )

  test('a reference to an object that is gone and never had a real resource', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.none', { count: 0, name: 'b' })
    await s.write('sim_null.t', { triggers: { n: '${size(sim_bucket.none[*].id)}' } })
    expect(await (await s.apply()).phase()).toBe('Applied')
    await s.delete('sim_bucket.none')
    for (let round = 0; round < 2; round++) expect(await shown(s)).toEqual(['blocked sim_null.t'])
    await s.write('sim_null.t', { triggers: { n: '0' } })
    expect(await shown(s)).toEqual([])
    expect(await s.engine.parts.estate.mark(place, 'written')).toBeUndefined()
  })

  test('a reference to an instance that was gone outside and is forgotten', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.some', { count: 1, name: 'b' })
    await s.write('sim_null.t', { triggers: { n: '${size(sim_bucket.some[*].id)}' } })
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await shown(s)).toEqual([])
    const [one] = await s.instances('sim_bucket.some')
    s.world.remove('sim_bucket', one.attributes.id)
    await s.write('sim_bucket.some', { count: 0, name: 'b' })
    const plan = await s.apply({ kinds: ['sim_bucket'] })
    expect(await plan.lines()).toEqual(['forget sim_bucket.some[0]: delete_because_count_index'])
    expect(await shown(s)).toEqual(['replace sim_null.t: replace_because_cannot_update'])
  })

  test('nothing to upgrade in what was read by the newer provider', async () => {
    const s = await shared.scenario()
    const lifecycle = { ignore_changes: ['tags'] }
    await s.write('sim_bucket.b', { name: 'b', tags: { a: '1' }, lifecycle })
    expect(await (await s.apply()).phase()).toBe('Applied')
    await s.engine.upgrade()
    s.world.edit('sim_bucket', (await s.attributes('sim_bucket.b')).id, { tags: { a: '2' } })
    expect(await (await s.plan({ refresh: 'All' })).lines()).toEqual([])
    const upgrades: unknown[] = []
    s.engine.providers.intercept = ({ method, request }) => {
      if (method === 'upgradeResourceState') upgrades.push(request)
      return undefined
    }
    expect(await shown(s)).toEqual([])
    expect(upgrades).toEqual([])
  })
})
