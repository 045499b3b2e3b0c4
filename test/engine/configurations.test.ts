import type { Authorizer } from '@hykube/server/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applied } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const network = (name: string, more: object = {}) => ({ name, cidr: '10.0.0.0/16', ...more })
const path = '/apis/hykube.io/v1alpha1/namespaces/default/providerconfigs'

// Another cloud for each name that the object has.
async function cloudsBy(s: Scenario, value: string): Promise<void> {
  await s.configure({ world: `sqlite:${shared.sim.directory}/cloud-${value}.db` }, 'west')
}

describe('a configuration that comes from a resource', () => {
  test('puts off whoever uses it until it is known, and then makes it within the same plan', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    await cloudsBy(s, '${sim_network.main.id}')
    await s.write('sim_bucket.b', { name: 'b', provider: 'west' })
    await s.write('sim_null.n', { triggers: { b: '${sim_bucket.b.id}' } })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_network.main', 'deferred sim_bucket.b', 'deferred sim_null.n'])
    expect((await plan.change('sim_bucket.b')).message).toContain('known only after')
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_bucket.b')).id).toMatch(/^bucket-/)
    expect(s.world.read('sim_bucket', (await s.attributes('sim_bucket.b')).id)).toBeUndefined()
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('is part of the order: users are destroyed before it', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    await cloudsBy(s, '${sim_network.main.id}')
    await s.write('sim_bucket.b', { name: 'b', provider: 'west' })
    await s.apply()
    await s.delete('sim_network.main')
    expect((await (await s.plan()).change('sim_network.main')).message).toMatch(/^sim_bucket\.b refers to it and stays/)
    await s.delete('sim_bucket.b')
    const order = applied(s)
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(order).toEqual(['- sim_bucket', '- sim_network'])
  })

  test('plans whoever uses it when what it comes from changes, with what it will be', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('one'))
    await s.configure({ seed: '${size(sim_network.main.name)}' }, 'west')
    await s.write('sim_bucket.b', { name: 'b', provider: 'west' })
    await s.write('sim_bucket.other', { name: 'o' })
    await s.apply()
    await s.write('sim_network.main', network('three'))
    s.engine.providers.calls.length = 0
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['update sim_network.main'])
    expect(s.engine.providers.calls.filter((call) => call === 'planResourceChange sim_bucket')).toHaveLength(1)
    expect(await plan.apply()).toBe('Applied')
    // The no-op was settled with the configuration that is there now.
    s.engine.providers.calls.length = 0
    expect(await (await s.plan()).lines()).toEqual([])
    expect(s.engine.providers.calls).toEqual([])
  })

  test('plans its users when a ConfigMap in it changes', async () => {
    const s = await shared.scenario()
    await s.keep('configmaps', 'c', { seed: '1' })
    await s.configure({ seed: '${configmap["c"].seed}' }, 'west')
    await s.write('sim_bucket.b', { name: 'b', provider: 'west' })
    await s.apply()
    await s.keep('configmaps', 'c', { seed: '2' })
    s.engine.providers.calls.length = 0
    expect(await (await s.plan()).lines()).toEqual([])
    expect(s.engine.providers.calls).toContain('planResourceChange sim_bucket')
  })

  test('blocks its users as long as what it comes from is missing', async () => {
    const s = await shared.scenario()
    await s.configure({ seed: '${size(sim_network.nowhere.name)}' }, 'west')
    await s.write('sim_bucket.b', { name: 'b', provider: 'west' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_bucket.b'])
    expect((await plan.changes())[0]?.message).toContain('there is no sim-networks "nowhere"')
    await s.write('sim_network.nowhere', network('n'))
    expect(await (await s.plan()).lines()).toEqual(['create sim_bucket.b', 'create sim_network.nowhere'])
  })

  test('is refused where it would come from itself, from either side', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n', { provider: 'west' }))
    const body = { metadata: { name: 'west' }, spec: { provider: 'sim', config: { world: '${sim_network.main.id}' } } }
    const answer = await s.engine.api.post(path, body)
    expect([answer.status, answer.document.message]).toEqual([422, expect.stringMatching(/west → .*main → .*west/)])
    await s.write('sim_network.main', network('n'))
    expect((await s.engine.api.post(path, body)).status).toBe(201)
    const back = await s.tryWrite('sim_network.main', network('n', { provider: 'west' }))
    expect([back.status, back.document.message]).toEqual([422, expect.stringMatching(/main → .*west → .*main/)])
  })

  test.each([
    ['a type that nobody has', '${aws_vpc.main.id}'],
    ['what can not be read', '${sim_network.}'],
  ])('is refused with %s', async (_, text) => {
    const s = await shared.scenario()
    const spec = { provider: 'sim', config: { world: text } }
    const { status, document } = await s.engine.api.post(path, { metadata: { name: 'west' }, spec })
    expect([status, document.message]).toEqual([422, expect.stringContaining('spec.config')])
  })

  test('is for those who may read what it comes from', async () => {
    const authorizer = {
      authorize: ({ user, resource, verb }: Record<string, unknown>) => ({
        allowed: (user as { name: string }).name !== 'guest' || resource !== 'secrets' || verb !== 'get',
      }),
    } as unknown as Authorizer
    const s = await shared.scenario({ authorizer })
    const body = { metadata: { name: 'west' }, spec: { provider: 'sim', config: { world: '${secret["other/k"].w}' } } }
    const as = (user: string) => s.engine.api.send('POST', path, { body, headers: { 'impersonate-user': user } })
    expect((await as('guest')).status).toBe(403)
    expect((await as('admin')).status).toBe(201)
    const providers = '/apis/hykube.io/v1alpha1/providers'
    const own = {
      metadata: { name: 'sim2' },
      spec: { source: 'hykube/sim', config: { world: '${secret["other/k"].w}' } },
    }
    const answer = await s.engine.api.send('POST', providers, { body: own, headers: { 'impersonate-user': 'guest' } })
    expect(answer.status).toBe(403)
  })

  test('is not for the default configuration of a provider', async () => {
    const s = await shared.scenario()
    const spec = { source: 'hykube/sim', config: { world: '${sim_network["default/main"].id}' } }
    const answer = await s.engine.api.post('/apis/hykube.io/v1alpha1/providers', { metadata: { name: 'sim2' }, spec })
    expect([answer.status, answer.document.message]).toEqual([422, expect.stringContaining('create a ProviderConfig')])
  })
})
