import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

type Instance = Readonly<Record<string, unknown>>

/** Puts objects into the cloud, and gives what a state file would say of them. */
function exist(s: Scenario, type: string, objects: readonly (Instance & { readonly id: string })[]): Instance[] {
  for (const object of objects) s.world.write(type, object.id, object)
  return objects.map((attributes) => ({ schema_version: 0, attributes }))
}

function take(s: Scenario, plural: string, name: string, body: object, query = '') {
  return s.engine.api.post(`/apis/sim.hykube.io/v1/namespaces/default/${plural}/${name}/state${query}`, body)
}

function network(id: string, name = 'main') {
  return { id, name, cidr: '10.0.0.0/16' }
}

const quiet = { scope: 'All', refresh: 'All' } as const

describe('a state that is taken over', () => {
  test('becomes an object that needs no change', async () => {
    const s = await shared.scenario()
    const instances = exist(s, 'sim_network', [network('net-a')])
    const answer = await take(s, 'sim-networks', 'main', { instances, labels: { team: 'web' } })
    expect(answer.status).toBe(201)
    expect(answer.document.spec).toEqual({ name: 'main', cidr: '10.0.0.0/16' })
    const { metadata, status } = await s.read('sim_network.main')
    expect(metadata).toMatchObject({ finalizers: ['hykube.io/managed'], labels: { team: 'web' } })
    expect(status.attributes.id).toBe('net-a')
    expect(status.conditions.find((each: { type: string }) => each.type === 'Ready').reason).toBe('Imported')
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan(quiet)).lines()).toEqual([])
    await s.delete('sim_network.main')
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(s.world.read('sim_network', 'net-a')).toBeUndefined()
  })

  test('is only shown by a dry run', async () => {
    const s = await shared.scenario()
    const instances = exist(s, 'sim_network', [network('net-dry')])
    const answer = await take(s, 'sim-networks', 'main', { instances }, '?dryRun=All')
    expect(answer.document.spec).toEqual({ name: 'main', cidr: '10.0.0.0/16' })
    expect(await s.read('sim_network.main')).toBeUndefined()
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test('is taken once', async () => {
    const s = await shared.scenario()
    const instances = exist(s, 'sim_network', [network('net-once')])
    await take(s, 'sim-networks', 'main', { instances })
    expect(await take(s, 'sim-networks', 'main', { instances })).toMatchObject({ status: 409 })
  })

  test('belongs to an object that was written before, as it is', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'other', cidr: '10.0.0.0/16' })
    const instances = exist(s, 'sim_network', [network('net-own')])
    expect((await take(s, 'sim-networks', 'main', { instances })).status).toBe(201)
    expect(await (await s.plan()).lines()).toEqual(['update sim_network.main'])
    expect((await s.read('sim_network.main')).metadata.finalizers).toEqual(['hykube.io/managed'])
  })

  test('refers to what it was made from', async () => {
    const s = await shared.scenario()
    await take(s, 'sim-networks', 'main', { instances: exist(s, 'sim_network', [network('net-ref')]) })
    const instances = exist(s, 'sim_subnet', [{ id: 'sub-ref', network_id: 'net-ref', cidr: '10.0.1.0/24' }])
    const references = [{ dependency: 'sim_network.main', value: 'net-ref', expression: 'sim_network.main.id' }]
    const dependencies = ['sim_network.main']
    const { document } = await take(s, 'sim-subnets', 'a', { instances, references, dependencies })
    expect(document.spec).toEqual({ network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
    const after = { instances: exist(s, 'sim_null', [{ id: 'null-ref' }]), dependencies: ['sim_subnet.a'] }
    expect((await take(s, 'sim-nulls', 'after', after)).document.spec).toEqual({ depends_on: ['sim_subnet.a'] })
    expect(await (await s.plan(quiet)).lines()).toEqual([])
    for (const address of ['sim_network.main', 'sim_subnet.a', 'sim_null.after']) await s.delete(address)
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(s.world.all().filter(({ id }) => id.endsWith('-ref'))).toEqual([])
  })

  test('refers to an ARN too, and to the id where both are equal', async () => {
    const s = await shared.scenario()
    await take(s, 'sim-networks', 'main', { instances: exist(s, 'sim_network', [network('net-arn')]) })
    const instances = exist(s, 'sim_subnet', [{ id: 'sub-arn', network_id: 'net-arn', cidr: '10.0.1.0/24' }])
    const references = ['id', 'arn'].map((name) => ({
      dependency: 'sim_network.main',
      value: 'net-arn',
      expression: `sim_network.main.${name}`,
    }))
    const { document } = await take(s, 'sim-subnets', 'a', {
      instances,
      references,
      dependencies: ['sim_network.main'],
    })
    expect(document.spec).toEqual({ network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
  })

  test('keeps that it is tainted, and what was replaced and is still there', async () => {
    const s = await shared.scenario()
    const [now, old] = exist(s, 'sim_network', [network('net-now'), network('net-old')])
    const instances = [
      { ...now, status: 'tainted' },
      { ...old, deposed: '0123abcd' },
    ]
    await take(s, 'sim-networks', 'main', { instances })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'delete sim_network.main (deposed)',
      'replace sim_network.main: replace_because_tainted',
    ])
  })

  test('holds texts that look like expressions', async () => {
    const s = await shared.scenario()
    const instances = exist(s, 'sim_network', [network('net-odd', 'a ${b} $${c}')])
    expect((await take(s, 'sim-networks', 'main', { instances })).status).toBe(201)
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test.each([
    ['no instances', { instances: [] }, 422],
    ['an instance without attributes', { instances: [{ index_key: 0 }] }, 422],
    ['two of one key', { instances: [{ attributes: network('x') }, { attributes: network('x') }] }, 422],
    ['instances beside an id', { instances: [{ attributes: network('x') }], id: 'x' }, 422],
    ['an empty id', { id: '' }, 422],
    ['an id that does not exist', { id: 'net-nowhere' }, 409],
    ['an attribute that the type lacks', { instances: [{ attributes: [] }] }, 422],
    ['a newer schema', { instances: [{ attributes: network('x'), schema_version: 99 }] }, 409],
    ['a configuration that is not there', { instances: [{ attributes: network('x') }], configuration: 'west' }, 409],
  ])('is refused with %s', async (_, body, status) => {
    const s = await shared.scenario()
    expect((await take(s, 'sim-networks', 'main', body)).status).toBe(status)
    expect(await s.read('sim_network.main')).toBeUndefined()
  })
})

describe('an id', () => {
  test('becomes an object with a spec that needs no change', async () => {
    const s = await shared.scenario()
    exist(s, 'sim_network', [network('net-id')])
    const shown = await take(s, 'sim-networks', 'main', { id: 'net-id' }, '?dryRun=All')
    expect(shown.document.spec).toEqual({ name: 'main', cidr: '10.0.0.0/16' })
    expect(await s.read('sim_network.main')).toBeUndefined()
    const { status, document } = await take(s, 'sim-networks', 'main', { id: 'net-id' })
    expect(status).toBe(201)
    const applied = document.status.conditions.find(({ type }: { type: string }) => type === 'Applied')
    expect(applied).toMatchObject({ status: 'True', reason: 'Imported' })
    expect(await (await s.plan(quiet)).lines()).toEqual([])
    expect(await take(s, 'sim-networks', 'main', { id: 'net-id' })).toMatchObject({ status: 409 })
  })
})

describe('instances of a state', () => {
  function machines(
    s: Scenario,
    keys: readonly (string | number)[],
    of: (key: string | number, i: number) => Instance,
  ) {
    const all = exist(
      s,
      'sim_instance',
      keys.map((key, i) => ({ id: `i-${key}-${i}`, subnet_id: 's', image: 'i', size: 'small', ...of(key, i) })),
    )
    return all.map((each, i) => ({ ...each, index_key: keys[i] }))
  }

  test('become count when they are equal', async () => {
    const s = await shared.scenario()
    const instances = machines(s, [0, 1, 2], () => ({ private_ip: '10.0.0.9' }))
    const { document } = await take(s, 'sim-instances', 'web', { instances })
    expect(document.spec).toEqual({ count: 3, subnet_id: 's', image: 'i' })
    expect(document.status.instances).toEqual({ total: 3, ready: 3 })
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test('stay numbered when they differ by their number', async () => {
    const s = await shared.scenario()
    const keys = Array.from({ length: 12 }, (_, i) => i)
    const instances = machines(s, keys, (key) => ({ private_ip: '10.0.0.9', tags: { Name: `web-${key}-x` } }))
    const { document } = await take(s, 'sim-instances', 'web', { instances })
    expect(document.spec.tags).toEqual({ Name: 'web-${count.index}-x' })
    expect(document.spec.count).toBe(12)
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test('become for_each with their values when they differ otherwise', async () => {
    const s = await shared.scenario()
    const sizes = ['small', 'large']
    const instances = machines(s, [0, 1], (_, i) => ({ private_ip: '10.0.0.9', size: sizes[i] }))
    const { document } = await take(s, 'sim-instances', 'web', { instances })
    expect(document.spec).toEqual({
      for_each: { 0: { size: 'small' }, 1: { size: 'large' } },
      subnet_id: 's',
      image: 'i',
      size: '${each.value.size}',
    })
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test('with names become for_each', async () => {
    const s = await shared.scenario()
    const instances = machines(s, ['eu', 'us'], (key) => ({ private_ip: '10.0.0.9', tags: { at: `x-${key}` } }))
    const { document } = await take(s, 'sim-instances', 'web', { instances })
    expect(document.spec).toMatchObject({ for_each: ['eu', 'us'], tags: { at: 'x-${each.key}' } })
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test('may lack what others have, and have more or fewer blocks', async () => {
    const s = await shared.scenario()
    const rules = [{ prefix: 'a/', action: 'archive', after_days: 3 }]
    const buckets = [
      { id: 'b-1', name: 'one', rules, tags: { a: '1' } },
      { id: 'b-2', name: 'two', rules: [...rules, ...rules], tags: null },
    ]
    const instances = exist(s, 'sim_bucket', buckets).map((each, i) => ({ ...each, index_key: ['x', 'y'][i] }))
    const { document } = await take(s, 'sim-buckets', 'files', { instances })
    expect(document.spec.for_each).toEqual({
      x: { name: 'one', rules: buckets[0]!.rules, tags: { a: '1' } },
      y: { name: 'two', rules: buckets[1]!.rules, tags: null },
    })
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test('come in portions, of which the last says what is common', async () => {
    const s = await shared.scenario()
    const all = machines(s, [0, 1, 2, 3], (_, i) => ({ private_ip: '10.0.0.9', size: i === 3 ? 'large' : 'small' }))
    await take(s, 'sim-instances', 'web', { instances: all.slice(0, 2) })
    await take(s, 'sim-instances', 'web', { instances: all.slice(2, 3), continues: true })
    expect((await s.read('sim_instance.web')).spec.count).toBe(3)
    const { document } = await take(s, 'sim-instances', 'web', { instances: all.slice(3), continues: true })
    expect(Object.keys(document.spec.for_each)).toEqual(['0', '1', '2', '3'])
    expect((await s.instances('sim_instance.web')).map(({ key }) => key)).toEqual(['0', '1', '2', '3'])
    expect(await (await s.plan(quiet)).lines()).toEqual([])
    const again = await take(s, 'sim-instances', 'web', { instances: all.slice(3), continues: true })
    expect(again.status).toBe(409)
  })
})

describe('sensitive values of a state', () => {
  const instance = (id: string, tags: object) => ({
    id,
    subnet_id: 's',
    image: 'i',
    size: 'small',
    private_ip: '10.0.0.9',
    tags,
  })
  const marked = (instances: Instance[]) =>
    instances.map((each) => ({ ...each, sensitive_attributes: [[{ type: 'get_attr', value: 'tags' }]] }))

  test('become references to a Secret, and never stand in the spec', async () => {
    const s = await shared.scenario()
    const instances = marked(exist(s, 'sim_instance', [instance('i-1', { token: 'fr0m-the-state' })]))
    const answer = await take(s, 'sim-instances', 'web', { instances })
    expect(answer.status).toBe(201)
    expect(answer.document.spec.tags).toEqual({ token: '${secret["web.sim-instance"]["tags.token"]}' })
    expect(String(answer.headers.warning)).toContain('sim_instance.web: sensitive values were written to the Secret')
    const secret = (await s.engine.api.get('/api/v1/namespaces/default/secrets/web.sim-instance')).document
    expect(secret).toMatchObject({ data: { 'tags.token': btoa('fr0m-the-state') } })
    expect(JSON.stringify(await s.read('sim_instance.web'))).not.toContain('fr0m-the-state')
    const plan = await s.apply(quiet)
    expect(s.world.read('sim_instance', 'i-1')).toMatchObject({ tags: { token: 'fr0m-the-state' } })
    expect(JSON.stringify([await plan.json(), await s.read('sim_instance.web')])).not.toContain('fr0m-the-state')
    expect(await (await s.plan(quiet)).lines()).toEqual([])
  })

  test('are references in for_each when they differ between instances, and a dry run writes no Secret', async () => {
    const s = await shared.scenario()
    const objects = [instance('i-a', { token: 'first-token' }), instance('i-b', { token: 'other-token' })]
    const instances = marked(exist(s, 'sim_instance', objects)).map((each, i) => ({ ...each, index_key: 'ab'[i] }))
    const shown = await take(s, 'sim-instances', 'web', { instances }, '?dryRun=All')
    expect(JSON.stringify(shown.document.spec)).not.toMatch(/first-token|other-token/)
    expect((await s.engine.api.get('/api/v1/namespaces/default/secrets/web.sim-instance')).status).toBe(404)
    expect((await take(s, 'sim-instances', 'web', { instances })).status).toBe(201)
    const { spec } = await s.read('sim_instance.web')
    expect(JSON.stringify(spec)).not.toMatch(/first-token|other-token/)
    await s.apply(quiet)
    expect(s.world.read('sim_instance', 'i-b')).toMatchObject({ tags: { token: 'other-token' } })
  })
})
