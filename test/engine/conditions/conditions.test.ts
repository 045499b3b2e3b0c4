import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failing, holding } from '../faults.ts'
import { type Scenario, SharedSim, type Spec } from '../scenario.ts'
import { conditionOf, settledProblems, shownStatus } from './settled.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const network = (name: string): Spec => ({ name, cidr: '10.0.0.0/16' })
const buckets = (count: unknown, tags: Spec = {}): Spec => ({ count, name: 'b-${count.index}', tags })
const works = () => undefined

async function expectSettled(s: Scenario): Promise<void> {
  expect(await (await s.plan()).phase()).toBe('NoChanges')
  expect(await settledProblems(s)).toEqual([])
}

describe('when nothing is left to do, an object is Ready and Applied', () => {
  test('after two plans over one batch were applied', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3))
    const [first, second] = [await s.plan(), await s.plan()]
    expect(await first.apply()).toBe('Applied')
    await second.apply()
    expect(await settledProblems(s)).toEqual([])
    await expectSettled(s)
  })

  test('after a failed update whose spec was reverted', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('one'))
    await s.apply()
    await s.write('sim_network.a', network('two'))
    failing(s, (call) => call === '~ sim_network')
    await s.apply()
    expect((await conditionOf(s, 'sim_network.a', 'Applied')).reason).toBe('ApplyFailed')
    s.engine.providers.intercept = works
    await s.write('sim_network.a', network('one'))
    await expectSettled(s)
  })

  test('after a failed update of a batch whose spec was reverted', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3))
    await s.apply()
    await s.write('sim_bucket.many', buckets(3, { a: 'b' }))
    failing(s, (call) => call === '~ sim_bucket')
    await s.apply()
    expect((await conditionOf(s, 'sim_bucket.many', 'Applied')).status).toBe('False')
    s.engine.providers.intercept = works
    await s.write('sim_bucket.many', buckets(3))
    await expectSettled(s)
  })

  test('once an object that was left behind is destroyed', async () => {
    const s = await shared.scenario()
    const lifecycle = { create_before_destroy: true }
    await s.write('sim_null.a', { triggers: { a: '1' }, lifecycle })
    await s.apply()
    await s.write('sim_null.a', { triggers: { a: '2' }, lifecycle })
    failing(s, (call) => call === '- sim_null')
    await s.apply()
    expect((await conditionOf(s, 'sim_null.a', 'Ready')).reason).toBe('ApplyFailed')
    s.engine.providers.intercept = works
    expect(await (await s.apply()).lines()).toEqual(['delete sim_null.a (deposed)'])
    expect(await settledProblems(s)).toEqual([])
    await expectSettled(s)
  })

  test('after an instance has moved away, on both objects', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(3))
    await s.apply()
    await s.write('sim_bucket.many', buckets(2))
    const annotations = { 'hykube.io/moved-from': 'sim_bucket.many[2]' }
    await s.write('sim_bucket.last', { name: 'b-2', tags: {} }, { annotations })
    expect((await shownStatus(s, 'sim_bucket.many')).instances).toEqual({ total: 3, ready: 2 })
    await expectSettled(s)
    expect((await shownStatus(s, 'sim_bucket.many')).instances).toEqual({ total: 2, ready: 2 })
  })

  test('after it was deleted and taken back, without a plan', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('one'))
    await s.apply()
    await s.delete('sim_network.a')
    await s.undelete('sim_network.a')
    expect(await settledProblems(s)).toEqual([])
    await expectSettled(s)
  })

  test('after for_each became a single object, and the other way round', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { for_each: { x: '1', y: '2' }, name: '${each.key}' })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'only' })
    await s.apply()
    expect((await shownStatus(s, 'sim_bucket.b')).instances).toBeUndefined()
    await expectSettled(s)
    await s.write('sim_bucket.b', { for_each: { x: '1' }, name: '${each.key}' })
    await s.apply()
    const { instances, attributes } = await shownStatus(s, 'sim_bucket.b')
    expect({ instances, attributes }).toEqual({ instances: { total: 1, ready: 1 }, attributes: undefined })
    await expectSettled(s)
  })

  test('of a data source with several instances', async () => {
    const s = await shared.scenario()
    await s.write('data.sim_image.d', { count: 2, name: 'i-${count.index}' })
    await expectSettled(s)
    expect((await shownStatus(s, 'data.sim_image.d')).instances).toEqual({ total: 2, ready: 2 })
  })

  test('after drift was put right outside', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('one'))
    await s.apply()
    const { id } = await s.attributes('sim_network.a')
    s.world.edit('sim_network', id, { name: 'drifted' })
    await s.plan({ mode: 'RefreshOnly' })
    expect((await conditionOf(s, 'sim_network.a', 'Drifted')).status).toBe('True')
    s.world.edit('sim_network', id, { name: 'one' })
    await expectSettled(s)
    expect((await conditionOf(s, 'sim_network.a', 'Drifted')).status).toBe('False')
  })
})

describe('counts of instances', () => {
  test('leave out those that could not be destroyed, and hold those that could not be made', async () => {
    const s = await shared.scenario()
    await s.keep('configmaps', 'c', { n: '4' })
    await s.write('sim_bucket.fixed', buckets(4))
    await s.write('sim_bucket.found', { ...buckets('${configmap["c"].n}'), name: 'f-${count.index}' })
    await s.apply()
    await s.keep('configmaps', 'c', { n: '2' })
    await s.write('sim_bucket.fixed', buckets(2))
    failing(s, (call) => call === '- sim_bucket')
    await s.apply()
    for (const address of ['sim_bucket.fixed', 'sim_bucket.found']) {
      const { instances, conditions } = await shownStatus(s, address)
      expect(instances).toEqual({ total: 2, ready: 2 })
      expect(conditions.Applied).toBe('False/PartiallyApplied')
    }
    s.engine.providers.intercept = works
    await s.apply()
    await s.keep('configmaps', 'c', { n: '3' })
    failing(s, (call) => call === '+ sim_bucket')
    await s.apply()
    expect((await shownStatus(s, 'sim_bucket.found')).instances).toEqual({ total: 3, ready: 2 })
  })
})

describe('a pending edit', () => {
  test('shows Applied False/Pending in the write itself', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('one'))
    expect((await shownStatus(s, 'sim_network.a')).conditions.Applied).toBe('False/NotApplied')
    await s.apply()
    const { document } = await s.tryWrite('sim_network.a', network('two'))
    const of = (type: string) => document.status.conditions.find((each: { type: string }) => each.type === type)
    expect(of('Applied')).toMatchObject({ status: 'False', reason: 'Pending' })
    expect(of('Ready').status).toBe('True')
    await s.apply()
    expect(await settledProblems(s)).toEqual([])
  })

  test('of count through the scale endpoint shows it too', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', buckets(1))
    await s.apply()
    const path = '/apis/sim.hykube.io/v1/namespaces/default/sim-buckets/many/scale'
    const scale = (await s.engine.api.get(path)).document
    await s.engine.api.put(path, { ...scale, spec: { replicas: 2 } })
    expect((await shownStatus(s, 'sim_bucket.many')).conditions.Applied).toBe('False/Pending')
  })

  test('is settled by the next plan when it changes nothing', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('one'))
    await s.write('data.sim_image.d', { name: 'img' })
    await s.apply()
    await s.write('sim_network.a', { ...network('one'), lifecycle: { create_before_destroy: true } })
    await s.write('data.sim_image.d', { name: '${"img"}' })
    expect((await shownStatus(s, 'sim_network.a')).conditions.Applied).toBe('False/Pending')
    await expectSettled(s)
    expect((await s.read('sim_network.a')).status.observedGeneration).toBe(2)
  })

  test.each([
    ['a single object', 'sim_network.a', network('one'), network('two'), network('three'), '~ sim_network'],
    ['a batch', 'sim_bucket.many', buckets(2), buckets(2, { a: '1' }), buckets(2, { a: '2' }), '~ sim_bucket'],
  ])('made while an earlier one is applied stays pending: %s', async (_, address, born, second, third, call) => {
    const s = await shared.scenario()
    await s.write(address, born)
    await s.apply()
    await s.write(address, second)
    const plan = await s.plan()
    const held = holding(s, (each) => each === call)
    await plan.decide('Approved')
    await held.waits
    await s.write(address, third)
    held.go()
    await plan.ends()
    s.engine.providers.intercept = works
    expect((await shownStatus(s, address)).conditions.Applied).toBe('False/Pending')
    await s.apply()
    expect(await settledProblems(s)).toEqual([])
  })

  test('is no reason for a plan to write to an object that has a change', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('one'))
    await s.apply()
    await s.write('sim_network.a', network('two'))
    const before = (await s.read('sim_network.a')).metadata.resourceVersion
    expect(await (await s.plan()).phase()).toBe('Planned')
    expect((await s.read('sim_network.a')).metadata.resourceVersion).toBe(before)
  })
})
