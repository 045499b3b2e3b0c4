import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failing } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

async function machine(s: Scenario): Promise<string> {
  await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'small', tags: { a: '1' } })
  await s.apply()
  return (await s.attributes('sim_instance.web')).id
}

describe('changes outside', () => {
  test('is not seen by a plan that has nothing to do with it', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.edit('sim_instance', id, { size: 'large' })
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('is found by refresh All, and put right', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.edit('sim_instance', id, { size: 'large' })
    const plan = await s.plan({ refresh: 'All' })
    expect(await plan.lines()).toEqual(['update sim_instance.web'])
    const { change } = await plan.change('sim_instance.web')
    expect([change.before.size, change.after.size]).toEqual(['large', 'small'])
    expect(await plan.apply()).toBe('Applied')
    expect(s.world.read('sim_instance', id)).toMatchObject({ size: 'small' })
    expect(await (await s.plan({ refresh: 'All' })).lines()).toEqual([])
  })

  test('is remembered by the next plan once it was seen', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.edit('sim_instance', id, { size: 'large' })
    await s.plan({ refresh: 'All' })
    expect(await (await s.plan()).lines()).toEqual(['update sim_instance.web'])
    s.world.edit('sim_instance', id, { size: 'small' })
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('a plan over drift is stale when the drift was put right by somebody else', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.edit('sim_instance', id, { size: 'large' })
    const stale = await s.plan({ refresh: 'All' })
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await stale.apply()).toBe('Stale')
  })

  test('a missing resource is created again', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.remove('sim_instance', id)
    const plan = await s.plan({ refresh: 'All' })
    expect(await plan.lines()).toEqual(['create sim_instance.web'])
    expect(await (await s.plan()).lines()).toEqual(['create sim_instance.web'])
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_instance.web')).id).not.toBe(id)
    expect(await (await s.plan({ refresh: 'All' })).lines()).toEqual([])
  })

  test('a missing resource of a deleted object is forgotten without its provider', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.remove('sim_instance', id)
    await s.plan({ refresh: 'All' })
    await s.delete('sim_instance.web')
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await s.read('sim_instance.web')).toBeUndefined()
  })

  test('a resource is read before it is destroyed: it is destroyed as it is, and forgotten when it is missing', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.edit('sim_instance', id, { size: 'large' })
    await s.delete('sim_instance.web')
    const shown = await s.plan()
    expect((await shown.change('sim_instance.web')).change.before.size).toBe('large')
    s.world.remove('sim_instance', id)
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['forget sim_instance.web: delete_because_no_resource_config'])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual(await plan.lines())
    expect(await plan.apply()).toBe('Applied')
    expect(await s.read('sim_instance.web')).toBeUndefined()
  })

  test('dependents follow drift', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'one', cidr: '10.0.0.0/16' })
    await s.write('sim_null.n', { triggers: { net: '${sim_network.main.name}' } })
    await s.apply()
    const { id } = await s.attributes('sim_network.main')
    s.world.edit('sim_network', id, { name: 'drifted' })
    const plan = await s.plan({ refresh: 'All' })
    // After the correction, dependent objects have no changes.
    expect(await plan.lines()).toEqual(['update sim_network.main'])
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ refresh: 'All' })).lines()).toEqual([])
  })

  test('RefreshOnly accepts it and asks for no change outside', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.edit('sim_instance', id, { size: 'large' })
    const plan = await s.plan({ mode: 'RefreshOnly', refresh: 'All' })
    expect(await plan.lines()).toEqual(['update sim_instance.web'])
    expect(await plan.apply()).toBe('Applied')
    expect(s.world.read('sim_instance', id)).toMatchObject({ size: 'large' })
    expect((await s.attributes('sim_instance.web')).size).toBe('large')
    expect(await (await s.plan({ mode: 'RefreshOnly' })).lines()).toEqual([])
    expect(await (await s.plan()).lines()).toEqual(['update sim_instance.web'])
  })

  test('RefreshOnly destroys nothing: no instance that is not asked for, nothing left behind, nothing deleted', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.some', { count: 3, name: 'b-${count.index}' })
    await s.write('sim_bucket.deleted', { name: 'd' })
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    const lifecycle = { create_before_destroy: true }
    await s.write('sim_subnet.s', { network_id: '${sim_network.n.id}', cidr: '10.0.1.0/24', lifecycle })
    await s.apply()
    failing(s, (call) => call === '- sim_subnet')
    await s.apply({ replace: ['sim_subnet.s'] })
    s.engine.providers.intercept = () => undefined
    await s.write('sim_bucket.some', { count: 1, name: 'b-${count.index}' })
    await s.delete('sim_bucket.deleted')
    const [first] = await s.instances('sim_bucket.some')
    s.world.edit('sim_bucket', first.attributes.id, { tags: { a: 'b' } })
    const before = s.world.all()
    const plan = await s.plan({ mode: 'RefreshOnly' })
    expect(await plan.lines()).toEqual(['update sim_bucket.some[0]'])
    expect(await plan.apply()).toBe('Applied')
    expect(s.world.all()).toEqual(before)
    const rest = [
      'delete sim_bucket.deleted: delete_because_no_resource_config',
      'delete sim_bucket.some[1]: delete_because_count_index',
      'delete sim_bucket.some[2]: delete_because_count_index',
      'delete sim_subnet.s (deposed)',
      'update sim_bucket.some[0]',
    ]
    expect(await (await s.plan()).lines()).toEqual(rest)
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual(rest)
  })

  test('RefreshOnly accepts that an object is gone', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    await s.plan()
    s.world.remove('sim_instance', id)
    const plan = await s.plan({ mode: 'RefreshOnly' })
    expect(await plan.lines()).toEqual(['forget sim_instance.web'])
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan()).lines()).toEqual(['create sim_instance.web'])
  })

  test('RefreshOnly reads what refers to an object that is gone, and leaves out what was never applied', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_subnet.s', { network_id: '${sim_network.n.id}', cidr: '10.0.1.0/24' })
    await s.apply()
    await s.write('sim_network.never', { name: 'never', cidr: '10.1.0.0/16' })
    await s.write('sim_subnet.blocked', { network_id: '${sim_network.nowhere.id}', cidr: '10.0.2.0/24' })
    s.world.remove('sim_network', (await s.attributes('sim_network.n')).id)
    s.world.remove('sim_subnet', (await s.attributes('sim_subnet.s')).id)
    const plan = await s.plan({ mode: 'RefreshOnly' })
    expect(await plan.lines()).toEqual(['forget sim_network.n', 'forget sim_subnet.s'])
  })

  test('refresh None believes what is known', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    s.world.edit('sim_instance', id, { size: 'medium' })
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'large' })
    const { change } = await (await s.plan({ refresh: 'None' })).change('sim_instance.web')
    expect(change.before.size).toBe('small')
    expect((await (await s.plan()).change('sim_instance.web')).change.before.size).toBe('medium')
  })
})

describe('a difference that no plan would change', () => {
  const address = '10.99.0.1'

  async function differing(s: Scenario): Promise<string> {
    const id = await machine(s)
    await s.write('sim_null.n', { triggers: { ip: '${sim_instance.web.private_ip}' } })
    await s.apply()
    s.world.edit('sim_instance', id, { private_ip: address })
    return id
  }

  test('is no drift, and others see the new value', async () => {
    const s = await shared.scenario()
    await differing(s)
    const before = await s.read('sim_instance.web')
    expect(await (await s.plan({ mode: 'RefreshOnly' })).lines()).toEqual([])
    expect(await s.read('sim_instance.web')).toEqual(before)
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['replace sim_null.n: replace_because_cannot_update'])
    expect((await plan.change('sim_null.n')).change.after.triggers).toEqual({ ip: address })
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual(await plan.lines())
  })

  test('is listed when all differences are asked for, and can be accepted', async () => {
    const s = await shared.scenario()
    await differing(s)
    await s.plan({ mode: 'RefreshOnly' })
    const plan = await s.plan({ mode: 'RefreshOnly', allDifferences: true })
    expect(await plan.lines()).toEqual(['update sim_instance.web'])
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_instance.web')).private_ip).toBe(address)
    expect(await (await s.plan({ mode: 'RefreshOnly', allDifferences: true })).lines()).toEqual([])
  })

  test('is not shown beside drift', async () => {
    const s = await shared.scenario()
    const id = await differing(s)
    s.world.edit('sim_instance', id, { size: 'large' })
    const shown = async (more: object) => {
      const { change } = await (await s.plan({ mode: 'RefreshOnly', ...more })).change('sim_instance.web')
      return Object.keys(change.after).filter((name) => change.before[name] !== change.after[name] && name !== 'tags')
    }
    expect(await shown({})).toEqual(['size'])
    expect(await shown({ allDifferences: true })).toEqual(['private_ip', 'size'])
  })
})

describe('the condition Drifted', () => {
  const drifted = async (s: Scenario, address: string) => {
    const { status } = await s.read(address)
    const {
      type: _,
      lastTransitionTime: __,
      ...facts
    } = status.conditions.find((each: { type: string }) => each.type === 'Drifted')
    return facts
  }

  test('names what a reading saw changed, and is taken back when that is put right', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    expect(await drifted(s, 'sim_instance.web')).toMatchObject({ status: 'False' })
    s.world.edit('sim_instance', id, { size: 'large', tags: { b: '2' } })
    const plan = await s.plan({ mode: 'RefreshOnly' })
    const told = { status: 'True', reason: 'ChangedOutside', message: 'changed outside: size, tags' }
    expect(await drifted(s, 'sim_instance.web')).toEqual(told)
    expect(await plan.lines()).toEqual(['update sim_instance.web'])
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await drifted(s, 'sim_instance.web')).toMatchObject({ status: 'False', reason: 'Applied' })
  })

  test('is told when an ordinary plan saw it first', async () => {
    const s = await shared.scenario()
    s.world.edit('sim_instance', await machine(s), { size: 'large' })
    await s.plan({ refresh: 'All' })
    await s.plan({ mode: 'RefreshOnly' })
    expect(await drifted(s, 'sim_instance.web')).toMatchObject({ status: 'True', message: 'changed outside: size' })
  })

  test('is taken back when the object is edited to match what is there', async () => {
    const s = await shared.scenario()
    s.world.edit('sim_instance', await machine(s), { size: 'large' })
    await s.plan({ mode: 'RefreshOnly' })
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'large', tags: { a: '1' } })
    await s.plan({ mode: 'RefreshOnly' })
    expect(await drifted(s, 'sim_instance.web')).toMatchObject({ status: 'False' })
  })

  test('is taken back when somebody puts it right outside, and when it is accepted', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    for (const size of ['large', 'small', 'large']) {
      s.world.edit('sim_instance', id, { size })
      await s.plan({ mode: 'RefreshOnly' })
      expect(await drifted(s, 'sim_instance.web')).toMatchObject({ status: size === 'large' ? 'True' : 'False' })
    }
    await s.apply({ mode: 'RefreshOnly' })
    expect(await drifted(s, 'sim_instance.web')).toMatchObject({ status: 'False', reason: 'Accepted' })
  })

  test('says that the object is gone', async () => {
    const s = await shared.scenario()
    s.world.remove('sim_instance', await machine(s))
    await s.plan({ mode: 'RefreshOnly' })
    const message = 'it no longer exists'
    expect(await drifted(s, 'sim_instance.web')).toEqual({ status: 'True', reason: 'ChangedOutside', message })
  })

  test('counts instances of a batch', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', { count: 3, name: 'b-${count.index}' })
    await s.apply()
    const [, second] = await s.instances('sim_bucket.many')
    s.world.edit('sim_bucket', second.attributes.id, { tags: { d: 'x' } })
    await s.plan({ mode: 'RefreshOnly' })
    const message = '1 of 3 instances differ from what was applied'
    expect(await drifted(s, 'sim_bucket.many')).toEqual({ status: 'True', reason: 'ChangedOutside', message })
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await drifted(s, 'sim_bucket.many')).toMatchObject({ status: 'False' })
  })

  test('is told by looking alone: planning writes nothing to an object', async () => {
    const s = await shared.scenario()
    const id = await machine(s)
    const before = await s.read('sim_instance.web')
    await s.plan({ scope: 'All', refresh: 'All' })
    expect(await s.read('sim_instance.web')).toEqual(before)
    s.world.edit('sim_instance', id, { size: 'large' })
    const plan = await s.plan({ refresh: 'All' })
    expect(await s.read('sim_instance.web')).toEqual(before)
    await s.plan({ mode: 'RefreshOnly' })
    const { metadata, spec } = await s.read('sim_instance.web')
    expect([spec, metadata.generation]).toEqual([before.spec, before.metadata.generation])
    expect(await plan.apply()).toBe('Applied')
  })
})

describe('adopting', () => {
  test('an import takes what is there', async () => {
    const s = await shared.scenario()
    s.world.write('sim_network', 'net-found', { name: 'found', cidr: '10.9.0.0/16' })
    const annotations = { 'hykube.io/import-id': 'net-found' }
    await s.write('sim_network.main', { name: 'found', cidr: '10.9.0.0/16' }, { annotations })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['import sim_network.main'])
    expect((await plan.change('sim_network.main')).change.importing).toEqual({ id: 'net-found' })
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_network.main')).id).toBe('net-found')
    expect((await s.read('sim_network.main')).metadata.finalizers).toEqual(['hykube.io/managed'])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('an import is planned again as long as it was not applied', async () => {
    const s = await shared.scenario()
    s.world.write('sim_network', 'net-again', { name: 'found', cidr: '10.9.0.0/16' })
    const annotations = { 'hykube.io/import-id': 'net-again' }
    await s.write('sim_network.main', { name: 'found', cidr: '10.9.0.0/16' }, { annotations })
    await s.plan()
    expect(await (await s.plan()).lines()).toEqual(['import sim_network.main'])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual(['import sim_network.main'])
    // Nothing outside belongs to it yet.
    expect((await s.delete('sim_network.main')).status).toBe(200)
    expect(await s.read('sim_network.main')).toBeUndefined()
    expect(await (await s.plan()).lines()).toEqual([])
    expect(s.world.read('sim_network', 'net-again')).toBeDefined()
  })

  test('differences are updated with the import', async () => {
    const s = await shared.scenario()
    s.world.write('sim_network', 'net-other', { name: 'found', cidr: '10.9.0.0/16' })
    const annotations = { 'hykube.io/import-id': 'net-other' }
    await s.write('sim_network.main', { name: 'wanted', cidr: '10.9.0.0/16' }, { annotations })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['update sim_network.main'])
    expect(await plan.apply()).toBe('Applied')
    expect(s.world.read('sim_network', 'net-other')).toMatchObject({ name: 'wanted' })
  })

  test('an import by identity takes what is there', async () => {
    const s = await shared.scenario()
    s.world.write('sim_network', 'net-identity', { name: 'found', cidr: '10.9.0.0/16' })
    const annotations = { 'hykube.io/import-identity': '{"id": "net-identity"}' }
    await s.write('sim_network.main', { name: 'found', cidr: '10.9.0.0/16' }, { annotations })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['import sim_network.main'])
    expect((await plan.change('sim_network.main')).change.importing).toEqual({ identity: { id: 'net-identity' } })
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_network.main')).id).toBe('net-identity')
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('instances are imported each by its id, and the others are made', async () => {
    const s = await shared.scenario()
    for (const id of ['net-0', 'net-1']) s.world.write('sim_network', id, { name: 'many', cidr: '10.9.0.0/16' })
    const annotations = { 'hykube.io/import-id': '{"0": "net-0", "1": "net-1"}' }
    await s.write('sim_network.main', { name: 'many', cidr: '10.9.0.0/16', count: 3 }, { annotations })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'create sim_network.main[2]',
      'import sim_network.main[0]',
      'import sim_network.main[1]',
    ])
    expect(await plan.apply()).toBe('Applied')
    const ids = (await s.instances('sim_network.main')).map(({ attributes }) => attributes.id)
    expect(ids.slice(0, 2)).toEqual(['net-0', 'net-1'])
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test.each([
    ['both', { 'hykube.io/import-id': 'a', 'hykube.io/import-identity': '{"id": "a"}' }, {}],
    ['an identity that is none', { 'hykube.io/import-identity': '{"name": "a"}' }, {}],
    ['an identity that is no JSON', { 'hykube.io/import-identity': '{' }, {}],
    ['one id for many', { 'hykube.io/import-id': 'net-1' }, { count: 1 }],
  ])('%s blocks the object', async (_, annotations, more) => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'found', cidr: '10.9.0.0/16', ...more }, { annotations })
    expect((await (await s.plan()).lines())[0]).toMatch(/^blocked sim_network.main/)
  })

  test('an id that is not there blocks the object', async () => {
    const s = await shared.scenario()
    const annotations = { 'hykube.io/import-id': 'net-nowhere' }
    await s.write('sim_network.main', { name: 'found', cidr: '10.9.0.0/16' }, { annotations })
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_network.main'])
  })
})
