import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failing, holding } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const network = (name: string) => ({ name, cidr: '10.0.0.0/16' })
const subnet = (cidr: string) => ({ network_id: '${sim_network.main.id}', cidr })

/** A network, a subnet in it and an instance in that, all applied. */
async function estate(): Promise<Scenario> {
  const s = await shared.scenario()
  await s.write('sim_network.main', network('one'))
  await s.write('sim_subnet.a', subnet('10.0.1.0/24'))
  await s.write('sim_instance.web', { subnet_id: '${sim_subnet.a.id}', image: 'linux' })
  expect(await (await s.apply()).phase()).toBe('Applied')
  return s
}

/** The subnet and the instance must be replaced, and the network be updated before they are created again. */
async function edit(s: Scenario): Promise<void> {
  await s.write('sim_network.main', network('two'))
  await s.write('sim_subnet.a', subnet('10.0.2.0/24'))
}

/** Ready and Applied of an object, each with its reason, and the id in its status. */
async function shown(s: Scenario, address: string): Promise<unknown> {
  const { status } = await s.read(address)
  const conditions = status.conditions as { type: string; status: string; reason: string }[]
  const of = (wanted: string) => {
    const found = conditions.find(({ type }) => type === wanted)
    return `${found?.status} ${found?.reason}`
  }
  return { ready: of('Ready'), applied: of('Applied'), id: status.attributes?.id }
}

const gone = { ready: 'False ReplacementIncomplete', applied: 'False ReplacementIncomplete', id: undefined }

describe('a replacement of which only the destruction was applied', () => {
  test('is counted, and its object no longer shows the destroyed resource', async () => {
    const s = await estate()
    await edit(s)
    failing(s, (call) => call === '~ sim_network')
    const plan = await s.apply()
    expect(await plan.status()).toMatchObject({
      phase: 'PartiallyApplied',
      outcome: { added: 0, changed: 0, destroyed: 2 },
    })
    expect(await shown(s, 'sim_instance.web')).toEqual(gone)
    expect(await shown(s, 'sim_subnet.a')).toEqual(gone)
    s.engine.providers.intercept = () => undefined
    const next = await s.apply()
    expect(await next.status()).toMatchObject({ phase: 'Applied', outcome: { added: 2, changed: 1, destroyed: 0 } })
    expect(await shown(s, 'sim_subnet.a')).toMatchObject({ ready: 'True Applied', applied: 'True Applied' })
  })

  test('is counted when an edit during the apply refuses the rest', async () => {
    const s = await estate()
    await edit(s)
    const plan = await s.plan()
    const held = holding(s, (call) => call === '- sim_subnet')
    const applying = plan.apply()
    await held.waits
    await s.write('sim_network.main', network('three'))
    held.go()
    expect(await applying).toBe('PartiallyApplied')
    expect(await plan.status()).toMatchObject({ outcome: { added: 0, changed: 0, destroyed: 2 } })
    expect(await shown(s, 'sim_instance.web')).toEqual(gone)
  })

  test('leaves nothing to destroy of an object that is deleted before its creation', async () => {
    const s = await estate()
    await s.write('sim_subnet.a', subnet('10.0.2.0/24'))
    const plan = await s.plan()
    const held = holding(s, (call) => call === '+ sim_subnet')
    const applying = plan.apply()
    await held.waits
    expect(await shown(s, 'sim_instance.web')).toEqual(gone)
    await s.delete('sim_instance.web')
    expect(await s.read('sim_instance.web')).toBeUndefined()
    held.go()
    expect(await applying).toBe('PartiallyApplied')
    expect(await plan.status()).toMatchObject({ outcome: { added: 1, changed: 0, destroyed: 2 } })
    expect(await (await s.apply()).phase()).toBe('NoChanges')
  })

  test('is shown in an object that waits for another finalizer', async () => {
    const s = await estate()
    const path = '/apis/sim.hykube.io/v1/namespaces/default/sim-instances/web'
    await s.engine.api.patch(path, { metadata: { finalizers: ['hykube.io/managed', 'example.com/mine'] } })
    await s.write('sim_subnet.a', subnet('10.0.2.0/24'))
    const plan = await s.plan()
    const held = holding(s, (call) => call === '+ sim_subnet')
    const applying = plan.apply()
    await held.waits
    await s.delete('sim_instance.web')
    held.go()
    expect(await applying).toBe('PartiallyApplied')
    expect(await shown(s, 'sim_instance.web')).toMatchObject({ ready: gone.ready, id: undefined })
    expect((await s.read('sim_instance.web')).metadata.finalizers).toEqual(['example.com/mine'])
  })

  test('leaves instances of a batch not ready', async () => {
    const s = await shared.scenario()
    await s.write('sim_instance.web', { count: 2, subnet_id: 's', image: 'linux' })
    expect(await (await s.apply()).phase()).toBe('Applied')
    failing(s, (call) => call === '+ sim_instance')
    const plan = await s.apply({ replace: ['sim_instance.web[0]'] })
    expect(await plan.status()).toMatchObject({ phase: 'PartiallyApplied', outcome: { added: 0, destroyed: 1 } })
    expect(await shown(s, 'sim_instance.web')).toMatchObject({ ready: 'False PartiallyApplied' })
  })
})

test('counts the creation of a replacement whose destruction failed', async () => {
  const s = await shared.scenario()
  await s.write('sim_bucket.b', { name: 'b', lifecycle: { create_before_destroy: true } })
  expect(await (await s.apply()).phase()).toBe('Applied')
  failing(s, (call) => call === '- sim_bucket')
  const plan = await s.apply({ replace: ['sim_bucket.b'] })
  expect(await plan.status()).toMatchObject({ phase: 'PartiallyApplied', outcome: { added: 1, destroyed: 0 } })
})

describe('a replacement destroys nothing when its creation is known to be refused', () => {
  test('because an update that it waits for is stale', async () => {
    const s = await estate()
    const { id } = await s.attributes('sim_instance.web')
    await edit(s)
    const one = await s.plan({ targets: ['sim_network.main'] })
    const two = await s.plan()
    expect(await one.apply()).toBe('Applied')
    expect(await two.apply()).toBe('Stale')
    expect(await two.status()).toMatchObject({ outcome: { added: 0, changed: 0, destroyed: 0 } })
    expect(await shown(s, 'sim_instance.web')).toMatchObject({ ready: 'True Applied' })
    expect(s.world.read('sim_instance', id)).toBeDefined()
    expect(await (await s.apply()).phase()).toBe('Applied')
  })

  test('because the configuration of its provider has changed', async () => {
    const s = await estate()
    await s.write('sim_subnet.a', subnet('10.0.2.0/24'))
    const { id } = await s.attributes('sim_subnet.a')
    const plan = await s.plan()
    await s.configure({ latency_ms: 1 })
    expect(await plan.apply()).toBe('Stale')
    expect(s.world.read('sim_subnet', id)).toBeDefined()
  })
})
