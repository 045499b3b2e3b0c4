import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const nulls = '/apis/app.hykube.io/v1/namespaces/default/sim-nulls'
const configs = '/apis/hykube.io/v1alpha1/namespaces/default/providerconfigs'
const annotation = 'hykube.io/resolved-providers'

/** A Provider `app` without networks of its own, and an object of it that refers to a network of the only Provider with any. */
async function referring(s: Scenario): Promise<void> {
  await s.engine.install('app', ['sim_null'])
  await s.write('sim_network.n', { name: 'one', cidr: '10.0.0.0/16' })
  const spec = { triggers: { id: '${sim_network.n.id}', all: '${sim_network["n"].name}' } }
  const { status } = await s.engine.api.post(nulls, { metadata: { name: 't' }, spec })
  expect(status).toBe(201)
  expect(await (await s.apply()).phase()).toBe('Applied')
}

async function edit(s: Scenario, triggers: object, annotations?: object) {
  const { document } = await s.engine.api.get(`${nulls}/t`)
  const metadata = annotations === undefined ? document.metadata : { ...document.metadata, annotations }
  return s.engine.api.put(`${nulls}/t`, { ...document, metadata, spec: { triggers } })
}

describe('a second Provider of the same types', () => {
  test('leaves references alone that were written before', async () => {
    const s = await shared.scenario()
    await referring(s)
    await s.engine.install('net2', ['sim_network'])
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
    await s.write('sim_network.n', { name: 'two', cidr: '10.0.0.0/16' })
    expect(await (await s.apply()).lines()).toEqual([
      'replace provider["app"].sim_null.t: replace_because_cannot_update',
      'update provider["sim"].sim_network.n',
    ])
    expect(await (await s.plan({ scope: 'All' })).phase()).toBe('NoChanges')
    await s.delete('sim_network.n')
    expect(await (await s.plan()).change('provider["sim"].sim_network.n')).toMatchObject({ action: 'blocked' })
  })

  test('does not stand in the way of other edits', async () => {
    const s = await shared.scenario()
    await referring(s)
    await s.engine.install('net2', ['sim_network'])
    expect((await edit(s, { id: '${sim_network.n.id}', more: 'x' })).status).toBe(200)
    expect((await edit(s, { cidr: '${sim_network.n.cidr}' })).status).toBe(200)
    expect(await (await s.apply()).phase()).toBe('Applied')
  })

  test('makes new bare references ambiguous, also those that were given up before', async () => {
    const s = await shared.scenario()
    await referring(s)
    await s.engine.install('net2', ['sim_network'])
    const other = await edit(s, { id: '${sim_network.n.id}', other: '${sim_network.m.id}' })
    expect(other.status).toBe(422)
    expect(other.document.message).toContain('several providers have the resource type sim_network')
    expect((await edit(s, { id: '${provider["sim"].sim_network.n.id}' })).status).toBe(200)
    expect((await edit(s, { id: '${sim_network.n.id}' })).status).toBe(422)
  })

  test.each([
    ['removed', undefined],
    ['forged', '{"sim_network.n":"net2"}'],
  ])('is not chosen by an annotation that a client has %s', async (_, text) => {
    const s = await shared.scenario()
    await referring(s)
    await s.engine.install('net2', ['sim_network'])
    const annotations = text === undefined ? {} : { [annotation]: text }
    expect((await edit(s, { id: '${sim_network.n.id}' }, annotations)).status).toBe(200)
    const { document } = await s.engine.api.get(`${nulls}/t`)
    expect(JSON.parse(document.metadata.annotations[annotation])).toEqual({ 'sim_network.n': 'sim' })
    const made = await s.engine.api.post(nulls, {
      metadata: { name: 'new', annotations },
      spec: { triggers: { id: '${sim_network.n.id}' } },
    })
    expect(made.status).toBe(422)
  })

  test('leaves the references of a ProviderConfig alone', async () => {
    const s = await shared.scenario()
    await referring(s)
    const config = { seed: '${size(sim_network.n.name)}' }
    const made = await s.engine.api.post(configs, { metadata: { name: 'west' }, spec: { provider: 'app', config } })
    expect(made.status).toBe(201)
    const used = { metadata: { name: 'u' }, spec: { provider: 'west', triggers: { a: '1' } } }
    expect((await s.engine.api.post(nulls, used)).status).toBe(201)
    await s.apply()
    await s.engine.install('net2', ['sim_network'])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
    const { document } = await s.engine.api.get(`${configs}/west`)
    const edited = { ...document, spec: { provider: 'app', config: { ...config, latency_ms: 1 } } }
    expect((await s.engine.api.put(`${configs}/west`, edited)).status).toBe(200)
    expect(await (await s.plan()).phase()).toBe('NoChanges')
  })

  test('does not take the place of the one that was meant when that is gone', async () => {
    const s = await shared.scenario()
    await referring(s)
    await s.engine.install('net2', ['sim_network'])
    await s.engine.uninstall('sim')
    const plan = await s.plan({ scope: 'All' })
    const [change] = await plan.changes()
    expect(change).toMatchObject({ action: 'blocked', name: 't' })
    expect(change?.message).toContain(
      'Provider "sim", which it was resolved to, no longer has the resource type sim_network',
    )
  })
})
