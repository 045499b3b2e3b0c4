import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applied } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const spec = { name: 'main', cidr: '10.0.0.0/16' }
const from = (address: string) => ({ annotations: { 'hykube.io/moved-from': address } })

async function network(s: Scenario): Promise<string> {
  await s.write('sim_network.old', spec)
  await s.apply()
  return (await s.attributes('sim_network.old')).id
}

/** As somebody does who takes the finalizer out of the database, or restores half of a backup. */
async function forceAway(s: Scenario, name: string): Promise<void> {
  const { objects } = s.engine.parts
  const place = { cluster: 'root', group: 'sim.hykube.io', resource: 'sim-networks', namespace: 'default', name }
  const before = await objects.get(place, place)
  await objects.change([{ resource: place, place, before, after: undefined, tag: before!.tag }])
}

describe('an object that takes the place of another', () => {
  test('has what exists outside from the first moment', async () => {
    const s = await shared.scenario()
    const id = await network(s)
    const { headers } = await s.tryWrite('sim_network.new', spec, from('sim_network.old'))
    expect(String(headers.warning)).toContain('still exists')
    const { metadata, status } = await s.read('sim_network.new')
    expect(metadata.finalizers).toEqual(['hykube.io/managed'])
    expect(status.attributes.id).toBe(id)
    expect((await s.read('sim_network.old')).metadata.finalizers).toBeUndefined()
    expect((await s.delete('sim_network.old')).status).toBe(200)
    expect(await s.read('sim_network.old')).toBeUndefined()
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
    await s.delete('sim_network.new')
    await s.apply()
    expect(s.world.read('sim_network', id)).toBeUndefined()
  })

  test('leaves the old object without anything outside, to be made anew', async () => {
    const s = await shared.scenario()
    await network(s)
    await s.write('sim_network.new', spec, from('sim_network.old'))
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.old'])
    const { status } = await s.read('sim_network.old')
    expect(status.attributes).toBeUndefined()
    expect(status.conditions.find((each: { type: string }) => each.type === 'Ready').reason).toBe('NotApplied')
  })

  test('lets an old one go that was deleted', async () => {
    const s = await shared.scenario()
    const id = await network(s)
    await s.delete('sim_network.old')
    await s.write('sim_network.new', spec, from('sim_network.old'))
    expect(await s.read('sim_network.old')).toBeUndefined()
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
    expect(s.world.read('sim_network', id)).toBeDefined()
  })

  test('takes over what an object left that was forced away', async () => {
    const s = await shared.scenario()
    const id = await network(s)
    await forceAway(s, 'old')
    await s.write('sim_network.new', spec, from('sim_network.old'))
    expect((await s.attributes('sim_network.new')).id).toBe(id)
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('shows what else it wants', async () => {
    const s = await shared.scenario()
    await network(s)
    await s.delete('sim_network.old')
    await s.write('sim_network.new', { ...spec, name: 'other' }, from('sim_network.old'))
    expect(await (await s.plan()).lines()).toEqual(['update sim_network.new'])
  })

  test('takes all instances', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.old', { ...spec, count: 3 })
    await s.apply()
    await s.write('sim_network.new', { ...spec, count: 3 }, from('sim_network.old'))
    await s.delete('sim_network.old')
    expect(await (await s.plan()).lines()).toEqual([])
    expect((await s.read('sim_network.new')).status.instances).toEqual({ total: 3, ready: 3 })
  })

  test('takes all instances that were made from something', async () => {
    const s = await shared.scenario()
    const id = await network(s)
    const subnet = { network_id: '${sim_network.old.id}', cidr: '10.0.1.0/24' }
    await s.write('sim_subnet.many', { ...subnet, count: 2 })
    await s.apply()
    await s.write('sim_subnet.moved', { ...subnet, count: 2 }, from('sim_subnet.many'))
    await s.delete('sim_subnet.many')
    await s.write('sim_subnet.moved', subnet)
    expect(await (await s.plan()).lines()).toEqual(['delete sim_subnet.moved[1]: delete_because_wrong_repetition'])
    for (const address of ['sim_subnet.moved', 'sim_network.old']) await s.delete(address)
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(s.world.read('sim_network', id)).toBeUndefined()
  })

  test('takes one instance of a batch, and leaves the others', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.old', { ...spec, count: 3 })
    await s.apply()
    const ids = (await s.instances('sim_network.old')).map(({ attributes }) => attributes.id)
    await s.write('sim_network.new', spec, from('sim_network.old[2]'))
    expect((await s.attributes('sim_network.new')).id).toBe(ids[2])
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.old[2]'])
    await s.write('sim_network.old', { ...spec, count: 2 })
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
    const moved = await s.tryWrite('sim_network.none', spec, from('sim_network.old[7]'))
    expect(moved.status).toBe(201)
    expect(String(moved.headers.warning)).toContain('there is no real resource under that address')
  })

  test('becomes the first instance of a batch, and the other way round', async () => {
    const s = await shared.scenario()
    const id = await network(s)
    await s.write('sim_network.many', { ...spec, count: 2 }, from('sim_network.old'))
    await s.delete('sim_network.old')
    expect((await s.instances('sim_network.many'))[0].attributes.id).toBe(id)
    expect(await (await s.apply()).lines()).toEqual(['create sim_network.many[1]'])
    await s.write('sim_network.one', spec, from('sim_network.many[0]'))
    expect((await s.attributes('sim_network.one')).id).toBe(id)
    await s.delete('sim_network.many')
    expect(await (await s.apply()).lines()).toEqual(['delete sim_network.many[1]: delete_because_no_resource_config'])
    expect(s.world.read('sim_network', id)).toBeDefined()
  })

  test('comes from a key of for_each', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.old', { ...spec, for_each: { eu: '1', us: '2' } })
    await s.apply()
    await s.write('sim_network.eu', spec, from('sim_network.old["eu"]'))
    await s.write('sim_network.old', { ...spec, for_each: { us: '2' } })
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('comes from another namespace', async () => {
    const s = await shared.scenario()
    await s.engine.api.post('/api/v1/namespaces', { metadata: { name: 'other' } })
    await s.write('sim_network.old', spec, { namespace: 'other' })
    await s.apply({ allNamespaces: true })
    const { id } = await s.attributes('sim_network.old', 'other')
    await s.delete('sim_network.old', 'other')
    await s.write('sim_network.new', spec, from('other/sim_network.old'))
    expect((await s.attributes('sim_network.new')).id).toBe(id)
    expect(await (await s.plan({ allNamespaces: true, scope: 'All' })).lines()).toEqual([])
  })

  test('keeps what was made from the old one in order', async () => {
    const s = await shared.scenario()
    const id = await network(s)
    await s.write('sim_subnet.a', { network_id: '${sim_network.old.id}', cidr: '10.0.1.0/24' })
    await s.apply()
    await s.write('sim_network.new', spec, from('sim_network.old'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.new.id}', cidr: '10.0.1.0/24' })
    await s.delete('sim_network.old')
    expect(await (await s.plan()).lines()).toEqual([])
    for (const address of ['sim_network.new', 'sim_subnet.a']) await s.delete(address)
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(s.world.read('sim_network', id)).toBeUndefined()
  })

  describe('is protected by what was made from it under its old name', () => {
    const subnet = { network_id: '${sim_network.old.id}', cidr: '10.0.1.0/24' }
    const used = 'sim_subnet.a uses it and stays: it is not part of this plan'

    test('when its kind alone is destroyed', async () => {
      const s = await shared.scenario()
      const id = await network(s)
      await s.write('sim_subnet.a', subnet)
      await s.apply()
      await s.write('sim_network.new', spec, from('sim_network.old'))
      const plan = await s.apply({ mode: 'Destroy', kinds: ['sim_network'] })
      expect((await plan.change('sim_network.new')).message).toBe(used)
      expect(s.world.read('sim_network', id)).toBeDefined()
    })

    test('when it was moved twice, to another namespace', async () => {
      const s = await shared.scenario()
      const id = await network(s)
      await s.engine.api.post('/api/v1/namespaces', { metadata: { name: 'other' } })
      await s.write('sim_subnet.a', subnet)
      await s.apply()
      await s.write('sim_network.new', spec, from('sim_network.old'))
      const other = { namespace: 'other' }
      await s.write('sim_network.newer', spec, { ...from('default/sim_network.new'), ...other })
      await s.delete('sim_network.newer', 'other')
      const plan = await s.plan({}, other)
      expect((await plan.change('sim_network.newer')).message).toContain('sim_subnet.a in namespace default uses it')
      expect(await plan.apply()).toBe('Blocked')
      expect(s.world.read('sim_network', id)).toBeDefined()
    })

    test('when it was one instance of a batch', async () => {
      const s = await shared.scenario()
      await s.write('sim_network.old', { ...spec, count: 2 })
      await s.write('sim_subnet.a', { ...subnet, count: 2, network_id: '${sim_network.old[count.index].id}' })
      await s.apply()
      await s.write('sim_network.new', spec, from('sim_network.old[1]'))
      const { id } = await s.attributes('sim_network.new')
      const plan = await s.apply({ mode: 'Destroy', targets: ['sim_network.new'], excludes: ['sim_subnet.a'] })
      expect((await plan.change('sim_network.new')).message).toContain('uses it and stays')
      expect(s.world.read('sim_network', id)).toBeDefined()
    })

    test('and is destroyed after it', async () => {
      const s = await shared.scenario()
      await network(s)
      await s.write('sim_subnet.a', subnet)
      await s.apply()
      await s.write('sim_network.new', spec, from('sim_network.old'))
      const order = applied(s)
      expect(await (await s.apply({ mode: 'Destroy' })).phase()).toBe('Applied')
      expect(order).toEqual(['- sim_subnet', '- sim_network'])
    })

    test('until that uses something else', async () => {
      const s = await shared.scenario()
      const id = await network(s)
      await s.write('sim_subnet.a', subnet)
      await s.apply()
      await s.write('sim_network.new', spec, from('sim_network.old'))
      expect(await (await s.apply()).phase()).toBe('Applied')
      await s.delete('sim_network.new')
      expect(await (await s.apply()).lines()).toEqual(['delete sim_network.new: delete_because_no_resource_config'])
      expect(s.world.read('sim_network', id)).toBeUndefined()
    })
  })

  test.each([
    ['another type', 'sim_bucket.old'],
    ['a type that nobody has', 'aws_vpc.old'],
    ['no address', 'old'],
  ])('is refused from %s', async (_, address) => {
    const s = await shared.scenario()
    await network(s)
    expect((await s.tryWrite('sim_network.new', spec, from(address))).status).toBe(422)
    expect(await s.read('sim_network.new')).toBeUndefined()
  })

  test('is an ordinary new object when there is nothing to take over, with a Warning', async () => {
    const s = await shared.scenario()
    const { status, headers } = await s.tryWrite('sim_network.new', spec, from('sim_network.nowhere'))
    expect(status).toBe(201)
    expect(String(headers.warning)).toContain(
      'hykube.io/moved-from: sim_network.nowhere has no effect: there is no real resource under that address',
    )
    const { metadata, status: shown } = await s.read('sim_network.new')
    expect(metadata.finalizers).toBeUndefined()
    expect(shown.conditions.map(({ reason }: { reason: string }) => reason)).toContain('NotApplied')
    expect(await (await s.apply()).lines()).toEqual(['create sim_network.new'])
    // The same manifest again is no edit.
    const again = await s.tryWrite('sim_network.new', spec, from('sim_network.nowhere'))
    expect([again.status, again.headers.warning]).toEqual([200, undefined])
  })

  test('is not an object that exists: a Warning says so, and nothing moves', async () => {
    const s = await shared.scenario()
    const id = await network(s)
    await s.write('sim_network.new', spec)
    await s.apply()
    const { status, headers } = await s.tryWrite('sim_network.new', spec, from('sim_network.old'))
    expect(status).toBe(200)
    expect(String(headers.warning)).toContain('the object already exists')
    expect((await s.attributes('sim_network.old')).id).toBe(id)
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('is only tried by a dry run', async () => {
    const s = await shared.scenario()
    await network(s)
    const path = '/apis/sim.hykube.io/v1/namespaces/default/sim-networks'
    const body = { metadata: { name: 'new', ...from('sim_network.old') }, spec }
    expect((await s.engine.api.post(`${path}?dryRun=All`, body)).status).toBe(201)
    expect((await s.read('sim_network.old')).metadata.finalizers).toEqual(['hykube.io/managed'])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })
})
