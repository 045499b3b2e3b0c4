import type { Authorizer } from '@hykube/server/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failing } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const prevented = { lifecycle: { prevent_destroy: true } }

async function network(s: Scenario, name: string, more: object = {}): Promise<void> {
  await s.write(`sim_network.${name}`, { name, cidr: '10.0.0.0/16', ...more })
}

async function subnet(s: Scenario, name: string, of: string, more: object = {}): Promise<void> {
  await s.write(`sim_subnet.${name}`, { network_id: `\${sim_network.${of}.id}`, cidr: '10.0.1.0/24', ...more })
}

async function instance(s: Scenario, name: string, of: string, more: object = {}): Promise<void> {
  await s.write(`sim_instance.${name}`, { subnet_id: `\${sim_subnet.${of}.id}`, image: 'i', ...more })
}

/** A network, a subnet in it and an instance in that, applied. */
async function chain(more: { net?: object; sub?: object; app?: object } = {}): Promise<Scenario> {
  const s = await shared.scenario()
  await network(s, 'net', more.net)
  await subnet(s, 'sub', 'net', more.sub)
  await instance(s, 'app', 'sub', more.app)
  expect(await (await s.apply()).phase()).toBe('Applied')
  return s
}

/** The types of what is left outside of objects that had these ids. */
async function idsOf(s: Scenario, ...addresses: string[]): Promise<() => string[]> {
  const ids = await Promise.all(addresses.map(async (address) => (await s.attributes(address)).id as string))
  return () => s.world.all().flatMap(({ type, id }) => (ids.includes(id) ? [type] : []))
}

const all = ['sim_instance.app', 'sim_network.net', 'sim_subnet.sub']
const blocked = (...addresses: string[]) => addresses.map((address) => `blocked ${address}`)

describe('a resource that a remaining instance uses', () => {
  test('is not destroyed when prevent_destroy holds the instance', async () => {
    const s = await chain({ sub: prevented })
    const plan = await s.plan({ mode: 'Destroy' })
    expect(await plan.lines()).toEqual([...blocked('sim_network.net', 'sim_subnet.sub'), 'delete sim_instance.app'])
    expect((await plan.change('sim_network.net')).message).toBe('sim_subnet.sub uses it and stays: prevent_destroy')
    expect((await plan.status()).summary).toMatchObject({ blocked: 2, delete: 1 })
    const left = await idsOf(s, ...all)
    await plan.apply()
    expect(left()).toEqual(['sim_network', 'sim_subnet'])
  })

  test('is not destroyed while an instance stays that its object no longer has', async () => {
    const s = await shared.scenario()
    await network(s, 'old')
    await network(s, 'new')
    const bucket = { name: 'b', tags: { n: '${sim_network.old.id}' } }
    await s.write('sim_bucket.b', { ...bucket, count: 2 })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'b', tags: { n: '${sim_network.new.id}' }, ...prevented })
    expect(await (await s.apply()).lines()).toEqual(['blocked sim_bucket.b[1]', 'update sim_bucket.b'])
    const left = await idsOf(s, 'sim_network.old')
    const plan = await s.apply({ mode: 'Destroy', targets: ['sim_network.old'], excludes: ['sim_bucket.b'] })
    expect((await plan.change('sim_network.old')).message).toContain('sim_bucket.b[1] uses it and stays')
    expect(left()).toEqual(['sim_network'])
  })

  test('is not destroyed through others, and the message names the chain', async () => {
    const s = await chain({ app: prevented })
    const plan = await s.plan({ mode: 'Destroy' })
    expect(await plan.lines()).toEqual(blocked(...all))
    expect((await plan.change('sim_network.net')).message).toBe(
      'sim_subnet.sub uses it and stays: sim_instance.app uses it and stays: prevent_destroy',
    )
  })

  test('is not destroyed when it and the object in between are deleted', async () => {
    const s = await chain()
    await s.delete('sim_subnet.sub')
    await s.delete('sim_network.net')
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(expect.arrayContaining(blocked('sim_network.net', 'sim_subnet.sub')))
    expect(await plan.lines()).not.toContainEqual(expect.stringContaining('delete'))
    expect((await plan.change('sim_network.net')).message).toMatch(
      /^sim_subnet\.sub uses it and stays: sim_instance\.app refers to it and stays/,
    )
  })

  test.each(['request', 'configuration'])('is not replaced by %s', async (by) => {
    const s = await chain({ sub: prevented })
    if (by === 'configuration') await subnetOfBuckets(s)
    else {
      const plan = await s.plan({ replace: ['sim_network.net'] })
      expect(await plan.lines()).toEqual(expect.arrayContaining(blocked('sim_network.net', 'sim_subnet.sub')))
      expect((await plan.change('sim_network.net')).message).toBe('sim_subnet.sub uses it and stays: prevent_destroy')
    }
  })

  // The name of a bucket forces replacement; what is triggered by it must not go.
  async function subnetOfBuckets(s: Scenario): Promise<void> {
    await s.write('sim_bucket.b', { name: 'one' })
    await s.write('sim_null.user', { triggers: { b: '${sim_bucket.b.id}' }, ...prevented })
    expect(await (await s.apply()).phase()).toBe('Applied')
    await s.write('sim_bucket.b', { name: 'two' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(blocked('sim_bucket.b', 'sim_null.user'))
  }

  test('is not replaced when a dependent is not part of the plan', async () => {
    const s = await chain()
    const plan = await s.plan({ replace: ['sim_network.net'], excludes: ['sim_subnet.sub'] })
    expect(await plan.lines()).toEqual(blocked('sim_network.net'))
    expect((await plan.change('sim_network.net')).message).toBe(
      'sim_subnet.sub uses it and stays: it is not part of this plan',
    )
  })

  test('is replaced when dependents are replaced or updated with it', async () => {
    const s = await chain({ net: { lifecycle: { create_before_destroy: true } } })
    await s.write('sim_bucket.b', { name: 'b', tags: { net: '${sim_network.net.id}' } })
    await s.apply()
    const plan = await s.apply({ replace: ['sim_network.net'] })
    expect(await plan.phase()).toBe('Applied')
    expect((await plan.status()).summary).toMatchObject({ replace: 3, update: 1, blocked: 0 })
  })

  test('is replaced when a dependent only waits for it and needs no change', async () => {
    const s = await shared.scenario()
    await network(s, 'net')
    await s.write('sim_bucket.b', { name: 'b', depends_on: ['sim_network.net'] })
    await s.apply()
    expect(await (await s.plan({ replace: ['sim_network.net'] })).lines()).toEqual([
      'replace sim_network.net: replace_by_request',
    ])
  })

  test('is no instance that count no longer makes', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { count: 3, name: 'b${count.index}' })
    await s.write('sim_null.two', { triggers: { b: '${sim_bucket.b[2].id}' }, ...prevented })
    await s.write('sim_null.one', { triggers: { b: '${sim_bucket.b[0].id}' } })
    await s.apply()
    await s.write('sim_bucket.b', { count: 2, name: 'b${count.index}' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(blocked('sim_bucket.b[2]', 'sim_null.two'))
    await s.write('sim_null.two', { triggers: { b: '${sim_bucket.b[1].id}' } })
    await s.plan()
    const next = await s.apply()
    expect(await next.lines()).toEqual([
      'delete sim_bucket.b[2]: delete_because_count_index',
      'replace sim_null.two: replace_because_cannot_update',
    ])
    expect(await next.phase()).toBe('Applied')
  })

  test('stays when the instance is forgotten and not destroyed', async () => {
    const s = await chain({ sub: { lifecycle: { destroy: false } } })
    const plan = await s.plan({ mode: 'Destroy' })
    expect(await plan.lines()).toEqual(['blocked sim_network.net', 'delete sim_instance.app', 'forget sim_subnet.sub'])
    expect((await plan.change('sim_network.net')).message).toBe(
      'sim_subnet.sub uses it and stays: lifecycle.destroy is false',
    )
  })

  test('stays when an object was removed by force and its state is not part of the plan', async () => {
    const s = await chain()
    const plan = await s.plan({ mode: 'Destroy', kinds: ['sim_network'] })
    expect(await plan.lines()).toEqual(blocked('sim_network.net'))
  })

  test('by way of a data source is not destroyed', async () => {
    const s = await shared.scenario()
    await network(s, 'net')
    await s.write('data.sim_image.d', { name: '${sim_network.net.name}' })
    await s.write('sim_instance.app', { subnet_id: 'fixed', image: '${data.sim_image.d.id}', ...prevented })
    await s.apply()
    const plan = await s.plan({ mode: 'Destroy' })
    expect(await plan.lines()).toEqual(blocked('sim_instance.app', 'sim_network.net'))
  })
})

describe('while a plan is applied', () => {
  test('a used resource stays when destroying the dependent fails', async () => {
    const s = await chain()
    const plan = await s.plan({ mode: 'Destroy' })
    const left = await idsOf(s, ...all)
    failing(s, (call) => call.endsWith('sim_instance'), 'before')
    await plan.apply()
    expect(left()).toEqual(['sim_instance', 'sim_network', 'sim_subnet'])
  })

  test("a used resource stays when the dependent's change is refused as stale", async () => {
    const s = await chain()
    const plan = await s.plan({ mode: 'Destroy' })
    const left = await idsOf(s, ...all)
    await instance(s, 'app', 'sub', { size: 'large' })
    await plan.apply()
    expect(left()).toEqual(['sim_instance', 'sim_network', 'sim_subnet'])
  })

  test('a resource that a failed update still uses stays in the next plan', async () => {
    const s = await shared.scenario()
    await network(s, 'a')
    await network(s, 'b')
    await s.write('sim_bucket.user', { name: 'u', tags: { net: '${sim_network.a.id}' } })
    await s.apply()
    await s.write('sim_bucket.user', { name: 'u', tags: { net: '${sim_network.b.id}' } })
    const first = await s.plan()
    failing(s, (call) => call.endsWith('sim_bucket'), 'before')
    await first.apply()
    s.engine.providers.intercept = () => undefined
    await s.delete('sim_network.a')
    expect(await (await s.plan({ targets: ['sim_network.a'] })).lines()).toEqual(blocked('sim_network.a'))
  })

  test('nothing is destroyed that another plan has begun to use meanwhile', async () => {
    const s = await shared.scenario()
    await network(s, 'net')
    await s.apply()
    const destroy = await s.plan({ mode: 'Destroy' })
    await subnet(s, 'sub', 'net')
    expect(await (await s.apply({ targets: ['sim_subnet.sub'] })).phase()).toBe('Applied')
    const left = await idsOf(s, 'sim_network.net', 'sim_subnet.sub')
    await destroy.apply()
    expect((await destroy.change('sim_network.net')).outcome?.message).toMatch(
      /sim_subnet\.sub in namespace default uses it since/,
    )
    expect(left()).toEqual(['sim_network', 'sim_subnet'])
  })
})

describe('an object of a Restricted provider that the author of the plan may not use', () => {
  const nulls = '/apis/app.hykube.io/v1/namespaces/default/sim-nulls'
  const withoutUse = {
    authorize: ({ user, verb }: { user: { name: string }; verb: string }) => ({
      allowed: user.name !== 'guest' || verb !== 'use',
    }),
  } as unknown as Authorizer

  // The first user refers to the network only in depends_on, the second by a value.
  test.each([
    ['depends_on', { depends_on: ['provider["sim"].sim_network.net'] }],
    ['a value', { triggers: { id: '${provider["sim"].sim_network.net.id}' } }],
  ])('protects what it uses by %s', async (_, spec) => {
    const s = await shared.scenario({ authorizer: withoutUse })
    await s.engine.install('app', ['sim_null'])
    const providers = '/apis/hykube.io/v1alpha1/providers/app'
    const { document } = await s.engine.api.get(providers)
    const restricted = { ...document, spec: { ...document.spec, access: 'Restricted' } }
    expect((await s.engine.api.put(providers, restricted)).status).toBe(200)
    await network(s, 'net')
    await network(s, 'free')
    expect((await s.engine.api.post(nulls, { metadata: { name: 'plain' }, spec })).status).toBe(201)
    expect(await (await s.apply()).phase()).toBe('Applied')
    const left = await idsOf(s, 'sim_network.net')
    const plan = await s.plan({ mode: 'Destroy' }, { user: 'guest' })
    expect(await plan.lines()).toEqual([
      'blocked provider["app"].sim_null.plain',
      'blocked sim_network.net',
      'delete sim_network.free',
    ])
    expect((await plan.change('sim_network.net')).message).toMatch(/sim_null\.plain uses it and stays: .*cannot use/)
    await plan.apply()
    expect(left()).toEqual(['sim_network'])
  })
})

describe('a plan whose author loses the use of a Restricted provider before it is applied', () => {
  test.each(['Normal', 'Destroy'] as const)('in mode %s changes nothing', async (mode) => {
    let mayUse = true
    const authorizer = {
      authorize: ({ user, verb }: { user: { name: string }; verb: string }) => ({
        allowed: user.name !== 'guest' || verb !== 'use' || mayUse,
      }),
    } as unknown as Authorizer
    const s = await shared.scenario({ authorizer })
    const providers = '/apis/hykube.io/v1alpha1/providers/sim'
    const { document } = await s.engine.api.get(providers)
    const restricted = { ...document, spec: { ...document.spec, access: 'Restricted' } }
    expect((await s.engine.api.put(providers, restricted)).status).toBe(200)
    await network(s, 'net')
    if (mode === 'Destroy') expect(await (await s.apply()).phase()).toBe('Applied')
    const before = s.world.all().length
    const plan = await s.plan({ mode }, { user: 'guest' })
    mayUse = false
    await plan.apply()
    expect(await plan.phase()).toMatch(/^(Failed|Stale)$/)
    expect((await plan.change('sim_network.net')).outcome).toMatchObject({
      result: 'refused',
      message: expect.stringContaining('User "guest" cannot use Provider "sim"'),
    })
    expect(s.world.all()).toHaveLength(before)
  })
})

describe('targets', () => {
  test('of a destruction take dependents along, and not what they depend on', async () => {
    const s = await chain()
    expect(await (await s.plan({ mode: 'Destroy', targets: ['sim_subnet.sub'] })).lines()).toEqual([
      'delete sim_instance.app',
      'delete sim_subnet.sub',
    ])
    expect(await (await s.plan({ mode: 'Destroy', targets: ['sim_instance.app'] })).lines()).toEqual([
      'delete sim_instance.app',
    ])
  })

  test('may be instances', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { count: 3, name: 'b${count.index}' })
    expect(await (await s.plan({ targets: ['sim_bucket.b[1]'] })).lines()).toEqual(['create sim_bucket.b[1]'])
    expect(await (await s.plan({ excludes: ['sim_bucket.b[1]'] })).lines()).toEqual([
      'create sim_bucket.b[0]',
      'create sim_bucket.b[2]',
    ])
    await (await s.plan({ targets: ['sim_bucket.b[1]'] })).apply()
    expect(await (await s.plan()).lines()).toEqual(['create sim_bucket.b[0]', 'create sim_bucket.b[2]'])
    await s.apply()
    expect(await (await s.apply({ mode: 'Destroy', targets: ['sim_bucket.b[2]'] })).lines()).toEqual([
      'delete sim_bucket.b[2]',
    ])
    expect(await (await s.plan()).lines()).toEqual(['create sim_bucket.b[2]'])
    await s.write('sim_bucket.b', { for_each: { x: '', y: '' }, name: 'b${each.key}' })
    expect(await (await s.plan({ targets: ['sim_bucket.b["x"]'] })).lines()).toEqual(['create sim_bucket.b["x"]'])
  })

  test.each(['targets', 'excludes', 'replace'] as const)('in %s that name nothing fail the plan', async (field) => {
    const s = await chain()
    await s.write('sim_bucket.b', { count: 2, name: 'b${count.index}' })
    for (const address of ['sim_network.nothing', 'sim_network.net[7]', 'sim_bucket.b[2]', 'sim_bucket.b["x"]'])
      for (const mode of ['Normal', 'Destroy'] as const) {
        const plan = await s.plan({ mode, [field]: [address] })
        expect(await plan.status()).toMatchObject({ phase: 'Failed' })
        expect((await plan.status()).message).toContain(`${address} does not exist`)
        expect(await plan.changes()).toEqual([])
      }
  })
})

describe('a written lifecycle', () => {
  test('counts before it is applied when it is safer', async () => {
    const s = await chain()
    await instance(s, 'app', 'sub', { lifecycle: { destroy: false } })
    await s.delete('sim_instance.app')
    expect(await (await s.plan()).lines()).toEqual(['forget sim_instance.app: delete_because_no_resource_config'])
    await subnet(s, 'sub', 'net', prevented)
    expect(await (await s.plan({ mode: 'Destroy' })).lines()).toEqual([
      ...blocked('sim_network.net', 'sim_subnet.sub'),
      'forget sim_instance.app: delete_because_no_resource_config',
    ])
  })

  test.each([
    ['edited', 'sim_bucket.b', {}],
    ['moved', 'sim_bucket.new', { annotations: { 'hykube.io/moved-from': 'sim_bucket.b' } }],
  ])('counts after the next plan of an %s object when it is less safe', async (_, address, options) => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'b', ...prevented })
    await s.apply()
    await s.write(address, { name: 'b' }, options)
    for (const mode of ['RefreshOnly', 'Destroy'] as const) {
      await s.plan({ mode })
      const answer = await s.delete(address)
      expect([answer.status, answer.document.message]).toEqual([
        403,
        expect.stringContaining('run "hykube plan -n default"'),
      ])
    }
    const other = await s.plan({ excludes: [address] })
    expect(await other.lines()).not.toContainEqual(expect.stringContaining(address))
    expect((await s.delete(address)).status).toBe(403)
    const plan = await s.plan({ targets: [address] })
    expect(await plan.phase()).toBe('NoChanges')
    expect((await s.delete(address)).status).toBe(200)
    expect(await (await s.plan({ targets: [address] })).lines()).toEqual([
      `delete ${address}: delete_because_no_resource_config`,
    ])
  })

  test('counts only once a change is applied that the plan shows when it is less safe', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'b', ...prevented })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'b', tags: { a: '1' } })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['update sim_bucket.b'])
    expect((await s.delete('sim_bucket.b')).status).toBe(403)
    expect(await plan.apply()).toBe('Applied')
    expect((await s.delete('sim_bucket.b')).status).toBe(200)
  })

  test('counts after it was applied when it is less safe', async () => {
    const s = await chain({ app: { lifecycle: { prevent_destroy: true } }, sub: { lifecycle: { destroy: false } } })
    await instance(s, 'app', 'sub')
    await subnet(s, 'sub', 'net')
    expect(await (await s.plan({ mode: 'Destroy' })).lines()).toEqual([
      ...blocked('sim_instance.app', 'sim_network.net'),
      'forget sim_subnet.sub',
    ])
    await s.apply()
    expect(await (await s.plan({ mode: 'Destroy' })).lines()).toEqual(all.map((address) => `delete ${address}`))
  })
})

test('a dependent that stays blocks its target, and the others only where the target is replaced', async () => {
  const s = await shared.scenario()
  await s.write('sim_subnet.a', { network_id: 'n', cidr: '10.0.1.0/24' })
  const instance = { subnet_id: '${sim_subnet.a.id}', image: 'linux' }
  await s.write('sim_instance.kept', { ...instance, ...prevented })
  await s.write('sim_instance.other', instance)
  await s.apply()
  const destroy = await s.plan({ mode: 'Destroy', targets: ['sim_subnet.a'] })
  expect(await destroy.lines()).toEqual([
    'blocked sim_instance.kept',
    'blocked sim_subnet.a',
    'delete sim_instance.other',
  ])
  const replace = await s.plan({ replace: ['sim_subnet.a'] })
  expect(await replace.lines()).toEqual([
    'blocked sim_instance.kept',
    'blocked sim_instance.other',
    'blocked sim_subnet.a',
  ])
})
