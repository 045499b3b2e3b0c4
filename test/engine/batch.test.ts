import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applied, holding } from './faults.ts'
import { SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const buckets = (count: unknown) => ({ count, name: 'b-${count.index}' })

describe('count', () => {
  test('makes instances with addresses of their own', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3))
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([0, 1, 2].map((i) => `create sim_bucket.many[${i}]`))
    expect(await plan.apply()).toBe('Applied')
    expect((await s.instances('sim_bucket.many')).map(({ index, attributes }) => [index, attributes.name])).toEqual([
      [0, 'b-0'],
      [1, 'b-1'],
      [2, 'b-2'],
    ])
    expect((await s.read('sim_bucket.many')).status.instances).toEqual({ total: 3, ready: 3 })
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('is read page by page, in the order of indexes', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(12))
    await s.apply()
    const pages: number[][] = []
    let after = ''
    do {
      const path = `/apis/sim.hykube.io/v1/namespaces/default/sim-buckets/many/instances?limit=5&continue=${after}`
      const { document } = await s.engine.api.get(path)
      pages.push(document.items.map(({ index }: { index: number }) => index))
      after = document.metadata.continue ?? ''
    } while (after !== '')
    expect(pages).toEqual([
      [0, 1, 2, 3, 4],
      [5, 6, 7, 8, 9],
      [10, 11],
    ])
  })

  test('up plans the new ones and down the last ones', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(2))
    await s.apply()
    await s.write('sim_bucket.many', buckets(3))
    s.engine.providers.calls.length = 0
    const up = await s.plan()
    expect(await up.lines()).toEqual(['create sim_bucket.many[2]'])
    expect(s.engine.providers.calls).toEqual(['validateResourceConfig sim_bucket', 'planResourceChange sim_bucket'])
    expect(await up.apply()).toBe('Applied')
    await s.write('sim_bucket.many', buckets(1))
    const down = await s.plan()
    expect(await down.lines()).toEqual([1, 2].map((i) => `delete sim_bucket.many[${i}]: delete_because_count_index`))
    expect(await down.apply()).toBe('Applied')
    expect((await s.instances('sim_bucket.many')).map(({ index }) => index)).toEqual([0])
    expect((await s.read('sim_bucket.many')).metadata.finalizers).toEqual(['hykube.io/managed'])
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('of none takes all away and keeps the object', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(2))
    await s.apply()
    await s.write('sim_bucket.many', buckets(0))
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect((await s.read('sim_bucket.many')).metadata.finalizers).toBeUndefined()
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('keeps the resource as the first instance when it comes, and keeps the first when it goes', async () => {
    const s = await shared.scenario()
    const name = { name: 'same' }
    await s.write('sim_bucket.b', name)
    await s.write('sim_null.user', { triggers: { all: '${sim_bucket.b[*].id.join(",")}' } })
    await s.apply()
    const { id } = await s.attributes('sim_bucket.b')
    await s.write('sim_bucket.b', { ...name, count: 2 })
    expect((await s.read('sim_bucket.b')).status.instances).toEqual({ total: 2, ready: 1 })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'create sim_bucket.b[1]',
      'replace sim_null.user: replace_because_cannot_update',
    ])
    expect(await plan.apply()).toBe('Applied')
    expect((await s.instances('sim_bucket.b'))[0].attributes.id).toBe(id)
    await s.write('sim_bucket.b', name)
    expect((await s.attributes('sim_bucket.b')).id).toBe(id)
    const back = await s.plan()
    expect(await back.lines()).toEqual([
      'delete sim_bucket.b[1]: delete_because_wrong_repetition',
      'replace sim_null.user: replace_because_cannot_update',
    ])
    expect(await back.apply()).toBe('Applied')
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
    expect((await s.attributes('sim_bucket.b')).id).toBe(id)
  })

  test('shows where the instance was when a change comes along, until it was applied', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'one', cidr: '10.0.0.0/16' })
    await s.apply()
    await s.write('sim_network.n', { name: 'two', cidr: '10.0.0.0/16', count: 1 })
    for (const plan of [await s.plan(), await s.plan({ scope: 'All' })]) {
      expect(await plan.lines()).toEqual(['update sim_network.n[0]'])
      expect((await plan.json()).resource_changes[0].previous_address).toBe('sim_network.n')
    }
    await s.apply()
    await s.write('sim_network.n', { name: 'three', cidr: '10.0.0.0/16', count: 1 })
    expect((await (await s.plan()).json()).resource_changes[0].previous_address).toBeUndefined()
  })

  test('of none takes away what was single', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'single' })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'single', count: 0 })
    expect(await (await s.plan()).lines()).toEqual(['delete sim_bucket.b[0]: delete_because_count_index'])
  })

  test('does not come while what exists is being changed', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'b' })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'b', tags: { a: '1' } })
    const plan = await s.plan()
    const held = holding(s, (call) => call === '~ sim_bucket')
    await plan.decide('Approved')
    await held.waits
    expect((await s.tryWrite('sim_bucket.b', { name: 'b', count: 1 })).status).toBe(409)
    held.go()
    expect(await plan.ends()).toBe('Applied')
    expect((await s.tryWrite('sim_bucket.b', { name: 'b', tags: { a: '1' }, count: 1 })).status).toBe(200)
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('for for_each is something else: nothing moves', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'x' })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'x', for_each: { a: '1' } })
    expect(await (await s.plan()).lines()).toEqual([
      'create sim_bucket.b["a"]',
      'delete sim_bucket.b: delete_because_wrong_repetition',
    ])
  })

  test('of a batch that failed in part is planned for the rest', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3))
    let failed = false
    s.engine.providers.intercept = ({ method, request }) => {
      const planned = request.plannedState as { name?: string } | null
      if (method !== 'applyResourceChange' || planned?.name !== 'b-1') return undefined
      failed = true
      return Promise.resolve({
        newState: null,
        private: new Uint8Array(0),
        legacyTypeSystem: false,
        diagnostics: [{ severity: 'error', summary: 'no' }],
      })
    }
    expect(await (await s.apply()).phase()).toBe('PartiallyApplied')
    expect(failed).toBe(true)
    s.engine.providers.intercept = () => undefined
    expect((await s.read('sim_bucket.many')).status.instances).toEqual({ total: 3, ready: 2 })
    expect(await (await s.plan()).lines()).toEqual(['create sim_bucket.many[1]'])
  })

  test('all instances can be referred to, and one of them', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3))
    await s.write('sim_null.one', { triggers: { first: '${sim_bucket.many[0].id}' } })
    await s.write('sim_null.all', { triggers: { all: '${sim_bucket.many[*].id.join(",")}' } })
    await s.write('sim_null.same', { count: 3, triggers: { own: '${sim_bucket.many[count.index].id}' } })
    expect(await (await s.apply()).phase()).toBe('Applied')
    const ids = (await s.instances('sim_bucket.many')).map(({ attributes }) => attributes.id)
    expect((await s.attributes('sim_null.one')).triggers.first).toBe(ids[0])
    expect((await s.attributes('sim_null.all')).triggers.all).toBe(ids.join(','))
    expect((await s.instances('sim_null.same')).map(({ attributes }) => attributes.triggers.own)).toEqual(ids)
    await s.write('sim_bucket.many', buckets(4))
    expect(await (await s.plan()).lines()).toEqual([
      'create sim_bucket.many[3]',
      'replace sim_null.all: replace_because_cannot_update',
    ])
    await s.apply()
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('down does not wait for what uses all of them, and what uses them does not see those that go', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3))
    await s.write('sim_null.all', { triggers: { ids: '${sim_bucket.many[*].name.join(",")}' } })
    await s.apply()
    await s.write('sim_bucket.many', buckets(1))
    await s.write('sim_null.other', { triggers: { ids: '${sim_bucket.many[*].name.join(",")}' } })
    const released = Promise.withResolvers<void>()
    // The instances that go are still there when the others are made.
    s.engine.providers.intercept = ({ method, request, go }) => {
      if (method !== 'applyResourceChange') return undefined
      if (request.typeName === 'sim_bucket') return released.promise.then(go)
      return go().finally(() => request.plannedState !== null && released.resolve())
    }
    const plan = await s.plan()
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_null.other')).triggers).toEqual({ ids: 'b-0' })
  })

  test('is refused with its place when it is invalid', async () => {
    const s = await shared.scenario()
    for (const count of [-1, 1e9, 'many', 1.5]) {
      const answer = await s.tryWrite('sim_bucket.bad', { count, name: 'x' })
      expect([count, answer.status]).toEqual([count, 422])
      expect(answer.document.message).toContain('spec.count')
    }
  })

  test('blocks the object when it turns out to be impossible', async () => {
    const s = await shared.scenario()
    await s.keep('configmaps', 'c', { n: '-1' })
    await s.write('sim_bucket.bad', { count: '${int(configmap["c"].n)}', name: 'x-${count.index}' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_bucket.bad'])
    expect((await plan.changes())[0]?.message).toContain('spec.count')
  })
})

describe('for_each', () => {
  const each = (entries: unknown) => ({ for_each: entries, name: '${each.key}', tags: { v: '${each.value}' } })

  test('plans exactly the keys that come, change and go', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.logs', each({ eu: '1', us: '1' }))
    const first = await s.plan()
    expect(await first.lines()).toEqual(['create sim_bucket.logs["eu"]', 'create sim_bucket.logs["us"]'])
    expect(await first.apply()).toBe('Applied')
    await s.write('sim_bucket.logs', each({ ap: '1', us: '2' }))
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'create sim_bucket.logs["ap"]',
      'delete sim_bucket.logs["eu"]: delete_because_each_key',
      'update sim_bucket.logs["us"]',
    ])
    expect(await plan.apply()).toBe('Applied')
    expect((await s.instances('sim_bucket.logs')).map(({ key }) => key)).toEqual(['ap', 'us'])
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('deletes a batch with its object', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.logs', each({ eu: '1', us: '1' }))
    await s.apply()
    await s.delete('sim_bucket.logs')
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await s.read('sim_bucket.logs')).toBeUndefined()
  })
})

describe('unknown values', () => {
  test('an unknown count defers the object and whoever needs it', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_bucket.many', { count: '${size(sim_network.main.id)}', name: 'b-${count.index}' })
    await s.write('sim_null.n', { triggers: { all: '${sim_bucket.many[*].id.join(",")}' } })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_network.main', 'deferred sim_bucket.many', 'deferred sim_null.n'])
    await plan.apply()
    const { id } = await s.attributes('sim_network.main')
    const next = await s.plan()
    if ((await next.phase()) === 'Planned') expect(await next.apply()).toBe('Applied')
    expect((await s.instances('sim_bucket.many')).length).toBe(id.length)
  })

  test('an unknown count leaves the instances alone that are there', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.src', { name: 'a' })
    await s.write('sim_bucket.many', { count: '${size(sim_bucket.src.id) > 3 ? 2 : 1}', name: 'b-${count.index}' })
    await s.apply()
    await s.apply()
    expect((await s.instances('sim_bucket.many')).length).toBe(2)
    await s.write('sim_bucket.src', { name: 'b' })
    expect(await (await s.plan()).lines()).toEqual([
      'deferred sim_bucket.many',
      'replace sim_bucket.src: replace_because_cannot_update',
    ])
  })
})

describe('data sources', () => {
  test('are read while planning where everything is known', async () => {
    const s = await shared.scenario()
    await s.write('data.sim_image.ubuntu', { name: 'ubuntu' })
    await s.write('sim_instance.web', { subnet_id: 's', image: '${data.sim_image.ubuntu.id}' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_instance.web'])
    expect((await plan.change('sim_instance.web')).change.after.image).toBe('img-ubuntu-x86_64')
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('whose reading changes what others get plan those', async () => {
    const s = await shared.scenario()
    await s.write('data.sim_image.ubuntu', { name: 'ubuntu' })
    await s.write('sim_instance.web', { subnet_id: 's', image: '${data.sim_image.ubuntu.id}' })
    await s.apply()
    await s.write('data.sim_image.ubuntu', { name: 'debian' })
    expect(await (await s.plan()).lines()).toEqual(['replace sim_instance.web: replace_because_cannot_update'])
    // Nobody applied that.
    expect(await (await s.plan()).lines()).toEqual(['replace sim_instance.web: replace_because_cannot_update'])
  })

  test('are read when the plan is applied where something is not known yet', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('data.sim_image.own', { name: '${sim_network.main.id}' })
    await s.write('sim_instance.web', { subnet_id: 's', image: '${data.sim_image.own.id}' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'create sim_instance.web',
      'create sim_network.main',
      'read data.sim_image.own: read_because_config_unknown',
    ])
    expect(await plan.apply()).toBe('Applied')
    const { id } = await s.attributes('sim_network.main')
    expect((await s.attributes('sim_instance.web')).image).toBe(`img-${id}-x86_64`)
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('are read again after an input of theirs has changed', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('data.sim_image.own', { name: '${sim_network.main.name}' })
    await s.apply()
    await s.write('sim_network.main', { name: 'other', cidr: '10.0.0.0/16' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'read data.sim_image.own: read_because_dependency_pending',
      'update sim_network.main',
    ])
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('wait for what they depend on while it changes', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('data.sim_region.r', { name: 'eu-1', depends_on: ['sim_network.main'] })
    const order = applied(s)
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'create sim_network.main',
      'read data.sim_region.r: read_because_dependency_pending',
    ])
    expect(await plan.apply()).toBe('Applied')
    expect(order).toEqual(['+ sim_network'])
  })

  test('wait for what is only put right outside, too', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('data.sim_region.r', { name: 'eu-1', depends_on: ['sim_network.main'] })
    await s.apply()
    s.world.edit('sim_network', (await s.attributes('sim_network.main')).id, { name: 'drifted' })
    const expected = ['read data.sim_region.r: read_because_dependency_pending', 'update sim_network.main']
    expect(await (await s.plan({ refresh: 'All' })).lines()).toEqual(expected)
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(expected)
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan({ refresh: 'All' })).lines()).toEqual([])
  })

  test('block their users when they can not be read', async () => {
    const s = await shared.scenario()
    await s.write('data.sim_region.r', { name: 'mars' })
    await s.write('sim_network.main', { name: '${data.sim_region.r.name}', cidr: '10.0.0.0/16' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked data.sim_region.r', 'blocked sim_network.main'])
  })

  test('are deleted without a plan', async () => {
    const s = await shared.scenario()
    await s.write('data.sim_image.ubuntu', { name: 'ubuntu' })
    await s.plan()
    expect((await s.delete('data.sim_image.ubuntu')).status).toBe(200)
    expect(await s.read('data.sim_image.ubuntu')).toBeUndefined()
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
    expect(await s.engine.parts.estate.someStates('root', 'default', 10)).toEqual([])
  })

  test('are no part of a destruction, and leave without a change', async () => {
    const s = await shared.scenario()
    await s.write('data.sim_image.some', { count: 2, name: 'i-${count.index}' })
    await s.write('sim_null.n', { triggers: { all: '${data.sim_image.some[*].id.join(",")}' } })
    await s.apply()
    await s.write('data.sim_image.some', { count: 1, name: 'i-${count.index}' })
    expect(await (await s.plan()).lines()).toEqual(['replace sim_null.n: replace_because_cannot_update'])
    expect(await (await s.plan()).lines()).toEqual(['replace sim_null.n: replace_because_cannot_update'])
    expect(await (await s.plan({ mode: 'Destroy' })).lines()).toEqual(['delete sim_null.n'])
  })
})
