import { ManualClock } from '@hykube/machinery/base'
import type { PlanSpec } from '@hykube/machinery/plan-api'
import { expirePlans } from '@hykube/server/plans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holding } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

type Involving = { readonly involvedObject: { readonly name: string; readonly kind: string; readonly uid: string } }
type Told = { readonly type: string; readonly reason: string; readonly message: string }

const network = (name: string) => ({ name, cidr: '10.0.0.0/16' })

describe('a Plan', () => {
  test('is applied once', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const plan = await s.apply()
    const again = await plan.decide('Approved')
    expect(again.status).toBe(409)
    expect(again.document.message).toContain(`plan "${plan.name}" was already applied`)
  })

  test('tells in Events what became of it', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const { name } = await s.apply()
    const { document } = await s.engine.api.get('/api/v1/namespaces/default/events')
    const told = document.items.filter(({ involvedObject }: Involving) => involvedObject.name === name)
    const lines = told.map(({ reason, message }: Told) => `${reason}: ${message}`)
    expect(lines.toSorted()).toEqual(['Applied: 1 added', 'Planned: 1 create'])
  })

  test('tells objects in Events what it did to them, once for all instances', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    await s.write('sim_bucket.many', { count: 30, name: 'b-${count.index}' })
    await s.apply()
    await s.write('sim_network.main', network('other'))
    await s.delete('sim_bucket.many')
    await s.write('sim_bucket.one', { name: 'one' })
    await s.apply()
    const { document } = await s.engine.api.get('/api/v1/namespaces/default/events')
    const told = document.items.filter(({ involvedObject }: Involving) => involvedObject.kind !== 'Plan')
    expect(told.map(({ type, reason, message }: Told) => `${type} ${reason}: ${message}`).toSorted()).toEqual([
      'Normal Created: sim_bucket.many: 30 created (plan p1)',
      'Normal Created: sim_bucket.one: created (plan p2)',
      'Normal Created: sim_network.main: created (plan p1)',
      'Normal Destroyed: sim_bucket.many: 30 destroyed (plan p2)',
      'Normal Updated: sim_network.main: updated (plan p2)',
    ])
    const { uid } = (await s.read('sim_network.main')).metadata
    expect(told.filter(({ involvedObject }: Involving) => involvedObject.uid === uid)).toHaveLength(2)
  })

  test('of more objects than people read about tells in its own Event alone', async () => {
    const s = await shared.scenario()
    for (let i = 0; i < 501; i++) await s.write(`sim_null.n${i}`, { triggers: { a: 'x' } })
    await s.apply()
    const { document } = await s.engine.api.get('/api/v1/namespaces/default/events?limit=5000')
    expect(document.items).toHaveLength(2)
  })

  test('does nothing when it was rejected', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const plan = await s.plan()
    expect((await plan.decide('Rejected')).document.status.phase).toBe('Rejected')
    expect((await plan.decide('Approved')).status).toBe(409)
    expect(await s.attributes('sim_network.main')).toBeUndefined()
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.main'])
  })

  test('is immutable', async () => {
    const s = await shared.scenario()
    const plan = await s.plan()
    const { document } = await s.engine.api.get(plan.path)
    const answer = await s.engine.api.put(plan.path, { ...document, spec: { ...document.spec, mode: 'Destroy' } })
    expect(answer.status).toBe(422)
  })

  test('counts what it would do', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    await s.write('sim_bucket.many', { count: 3, name: 'b-${count.index}' })
    await s.write('sim_null.bad', { triggers: { a: '${sim_network.nowhere.id}' } })
    const { summary } = await (await s.plan()).status()
    expect(summary).toMatchObject({ create: 4, update: 0, replace: 0, delete: 0, blocked: 1 })
  })

  test('counts the objects that stay as they are, unless it covers only some', async () => {
    const s = await shared.scenario()
    await s.engine.api.post('/api/v1/namespaces', { metadata: { name: 'other' } })
    for (const name of ['a', 'b', 'c']) await s.write(`sim_network.${name}`, network(name))
    await s.write('sim_bucket.many', { count: 2, name: 'b-${count.index}' })
    await s.write('data.sim_image.d', { name: 'd' })
    await s.write('sim_network.far', network('far'), { namespace: 'other' })
    const noop = async (spec: PlanSpec) => (await (await s.plan(spec)).status()).summary?.noop
    expect(await noop({})).toBe(0)
    await s.apply()
    expect(await noop({})).toBe(4)
    await s.write('sim_network.a', network('other'))
    expect(await Promise.all([noop({}), noop({ scope: 'All' }), noop({ refresh: 'All' })])).toEqual([3, 3, 3])
    expect(await noop({ kinds: ['sim_network'] })).toBeUndefined()
    expect(await noop({ targets: ['sim_network.a'] })).toBeUndefined()
    expect(await noop({ allNamespaces: true })).toBe(3)
  })

  test('with approval Automatic is applied at once', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const plan = await s.plan({ approval: 'Automatic' })
    expect(await plan.ends()).toBe('Applied')
    expect((await plan.status()).approval).toMatchObject({ decision: 'Approved', by: 'tester' })
  })

  test('begins nothing more when it was canceled, and lets running calls end', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
    const plan = await s.plan()
    const held = holding(s, (call) => call === '+ sim_network')
    await plan.decide('Approved')
    await held.waits
    expect((await plan.cancel()).status).toBe(200)
    held.go()
    expect(await plan.ends()).toBe('Canceled')
    s.engine.providers.intercept = () => undefined
    expect((await s.attributes('sim_network.main')).id).toBeDefined()
    expect(await (await s.plan()).lines()).toEqual(['create sim_subnet.a'])
  })

  test('can be canceled while it waits for its approval', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const plan = await s.plan()
    await plan.cancel()
    expect(await plan.ends()).toBe('Canceled')
    expect((await plan.decide('Approved')).status).toBe(409)
  })

  test.each(['Planned', 'Applied'])('can be deleted when it is %s, and its changes go with it', async (phase) => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const plan = await (phase === 'Applied' ? s.apply() : s.plan())
    expect(await plan.phase()).toBe(phase)
    expect((await s.engine.api.delete(plan.path)).status).toBe(200)
    expect((await s.engine.api.get(`${plan.path}/changes`)).status).toBe(404)
    expect((await s.engine.api.delete(plan.path)).status).toBe(404)
  })

  test('expires', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const plan = await s.plan({ expiresAfter: '10ms' })
    expect(await plan.ends()).toBe('Expired')
    expect((await plan.decide('Approved')).status).toBe(409)
  })

  test('is kept for 30 days after it ended, with its changes', async () => {
    const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
    const s = await shared.scenario({ clock })
    await s.write('sim_network.main', network('n'))
    const ended = await s.apply()
    await s.write('sim_network.main', network('m'))
    const waiting = await s.plan({ expiresAfter: '9000h' })
    const there = async () =>
      (await s.engine.api.get('/apis/hykube.io/v1alpha1/plans')).document.items.map(
        (each: { metadata: { name: string } }) => each.metadata.name,
      )
    const day = 24 * 3_600_000
    for (let days = 0; days < 29; days++) clock.advance(day)
    await expirePlans(s.engine.parts)
    expect(await there()).toEqual([ended.name, waiting.name])
    clock.advance(2 * day)
    await expirePlans(s.engine.parts)
    expect(await there()).toEqual([waiting.name])
    const left = async () => (await s.engine.parts.estate.count({ space: 'changes' })) === 1
    await expect.poll(left).toBe(true)
  })

  test('must be approved by another user when the server requires it', async () => {
    const s = await shared.scenario({ requireSecondApprover: true })
    await s.write('sim_network.main', network('n'))
    const plan = await s.plan({}, { user: 'anna' })
    const own = await plan.decide('Approved', 'anna')
    expect(own.status).toBe(409)
    expect(own.document.message).toContain('another user')
    expect((await plan.decide('Approved', 'bert')).status).toBe(200)
    expect(await plan.ends()).toBe('Applied')
  })

  test('with approval Automatic is no way around the second approver', async () => {
    const s = await shared.scenario({ requireSecondApprover: true })
    await s.write('sim_network.main', network('n'))
    const answer = await s.engine.api.post('/apis/hykube.io/v1alpha1/namespaces/default/plans', {
      metadata: { name: 'auto' },
      spec: { approval: 'Automatic' },
    })
    expect(answer.status).toBe(403)
  })

  test('reports for each change that a provider failed', async () => {
    const s = await shared.scenario({ config: { failure_rate: 1 } })
    await s.write('sim_network.main', network('n'))
    const plan = await s.apply()
    expect(await plan.phase()).toBe('Failed')
    expect((await plan.change('sim_network.main')).outcome).toMatchObject({ result: 'failed' })
    expect((await plan.status()).message).toContain('sim_network.main')
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.main'])
  })

  test('is the same however often it is made', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    await s.write('sim_subnet.a', { count: 3, network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
    const [one, two] = [await s.plan(), await s.plan()]
    expect(await two.changes()).toEqual(await one.changes())
    const { timestamp: _, ...first } = await one.json()
    const { timestamp: __, ...second } = await two.json()
    expect(second).toEqual(first)
  })
})

describe('changes since a plan was made', () => {
  async function two(s: Scenario): Promise<void> {
    await s.write('sim_network.a', network('a'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.a.id}', cidr: '10.0.1.0/24' })
    await s.write('sim_network.b', network('b'))
  }

  test('refuses that change and its dependents, and nothing else', async () => {
    const s = await shared.scenario()
    await two(s)
    const plan = await s.plan()
    await s.write('sim_network.a', network('other'))
    expect(await plan.apply()).toBe('PartiallyApplied')
    expect((await plan.changes()).map(({ address, outcome }) => [address, outcome?.result])).toEqual([
      ['sim_network.a', 'refused'],
      ['sim_network.b', 'applied'],
      ['sim_subnet.a', 'skipped'],
    ])
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.a', 'create sim_subnet.a'])
  })

  test('labels do not count', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('a'))
    const plan = await s.plan()
    await s.write('sim_network.a', network('a'), { labels: { x: 'y' } })
    expect(await plan.apply()).toBe('Applied')
  })

  test('an object that was deleted and created anew is another one', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('a'))
    const plan = await s.plan()
    await s.delete('sim_network.a')
    await s.write('sim_network.a', network('a'))
    expect(await plan.apply()).toBe('Stale')
  })

  test('a Secret that was used refuses its users', async () => {
    const s = await shared.scenario()
    await s.keep('configmaps', 'c', { name: 'one', other: 'x' })
    await s.write('sim_network.a', { name: '${configmap["c"].name}', cidr: '10.0.0.0/16' })
    await s.write('sim_network.b', network('b'))
    const plan = await s.plan()
    await s.keep('configmaps', 'c', { name: 'two', other: 'x' })
    expect(await plan.apply()).toBe('PartiallyApplied')
    expect((await plan.change('sim_network.a')).outcome).toMatchObject({
      result: 'refused',
      message: expect.stringContaining('configmap["c"].name'),
    })
    const next = await s.plan()
    await s.keep('configmaps', 'c', { name: 'two', other: 'changed' })
    expect(await next.apply()).toBe('Applied')
  })

  test('two plans over the same object: the second is stale', async () => {
    const s = await shared.scenario()
    await two(s)
    const [first, second] = [await s.plan(), await s.plan()]
    expect(await first.apply()).toBe('Applied')
    expect(await second.apply()).toBe('Stale')
    const { id } = await s.attributes('sim_network.a')
    expect(s.world.all().filter(({ object }) => object.network_id === id)).toHaveLength(1)
  })

  test('a change that meets another plan in the middle names it', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('meets'))
    const [first, second] = [await s.plan(), await s.plan()]
    const held = holding(s, (call) => call === '+ sim_network')
    await first.decide('Approved')
    await held.waits
    expect(await second.apply()).toBe('Stale')
    expect((await second.change('sim_network.a')).outcome?.message).toContain(first.name)
    held.go()
    expect(await first.ends()).toBe('Applied')
  })

  test('a provider that was configured otherwise refuses', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('a'))
    const plan = await s.plan()
    await s.configure({ seed: 5 })
    expect(await plan.apply()).toBe('Stale')
  })

  test('an edit while a change is being made is planned next', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('a'))
    const plan = await s.plan()
    const held = holding(s, (call) => call === '+ sim_network')
    await plan.decide('Approved')
    await held.waits
    await s.write('sim_network.a', network('later'))
    held.go()
    expect(await plan.ends()).toBe('Applied')
    s.engine.providers.intercept = () => undefined
    expect((await s.read('sim_network.a')).status.observedGeneration).toBe(1)
    expect(await (await s.plan()).lines()).toEqual(['update sim_network.a'])
  })

  test('a delete while it is being created is planned next', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('a'))
    const plan = await s.plan()
    const held = holding(s, (call) => call === '+ sim_network')
    await plan.decide('Approved')
    await held.waits
    await s.delete('sim_network.a')
    held.go()
    expect(await plan.ends()).toBe('Applied')
    s.engine.providers.intercept = () => undefined
    expect(await (await s.plan()).lines()).toEqual(['delete sim_network.a: delete_because_no_resource_config'])
  })
})

describe('a selection', () => {
  async function some(s: Scenario): Promise<void> {
    await s.write('sim_network.main', network('n'), { labels: { team: 'net' } })
    await s.write(
      'sim_subnet.a',
      { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' },
      { labels: { team: 'web' } },
    )
    await s.write('sim_bucket.b', { name: 'b' }, { labels: { team: 'web' } })
  }

  test('by labels plans those, and blocks what needs others', async () => {
    const s = await shared.scenario()
    await some(s)
    const plan = await s.plan({ selector: { matchLabels: { team: 'web' } } })
    expect(await plan.lines()).toEqual(['blocked sim_subnet.a', 'create sim_bucket.b'])
    expect(await plan.apply()).toBe('Applied')
    // The objects that were not selected still have pending changes.
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.main', 'create sim_subnet.a'])
  })

  test('by kinds, by type or kind', async () => {
    const s = await shared.scenario()
    await some(s)
    expect(await (await s.plan({ kinds: ['SimBucket', 'sim_network'] })).lines()).toEqual([
      'create sim_bucket.b',
      'create sim_network.main',
    ])
  })

  test('by targets takes what they refer to along', async () => {
    const s = await shared.scenario()
    await some(s)
    expect(await (await s.plan({ targets: ['sim_subnet.a'] })).lines()).toEqual([
      'create sim_network.main',
      'create sim_subnet.a',
    ])
    expect(await (await s.plan({ targets: ['sim_bucket.b'] })).lines()).toEqual(['create sim_bucket.b'])
  })

  test('by excludes leaves them out, and blocks what needs them', async () => {
    const s = await shared.scenario()
    await some(s)
    expect(await (await s.plan({ excludes: ['sim_network.main'] })).lines()).toEqual([
      'blocked sim_subnet.a',
      'create sim_bucket.b',
    ])
  })

  test('can ask for a replacement', async () => {
    const s = await shared.scenario()
    await some(s)
    await s.apply()
    const plan = await s.plan({ replace: ['sim_network.main'] })
    expect(await plan.lines()).toEqual([
      'replace sim_network.main: replace_by_request',
      'replace sim_subnet.a: replace_because_cannot_update',
    ])
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('of one instance replaces that one', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.many', { count: 3, name: 'b-${count.index}' })
    await s.apply()
    expect(await (await s.plan({ replace: ['sim_bucket.many[1]'] })).lines()).toEqual([
      'replace sim_bucket.many[1]: replace_by_request',
    ])
  })

  test.each(['targets', 'excludes', 'replace'])('whose %s name a type that nobody has is refused', async (field) => {
    const s = await shared.scenario()
    const answer = await s.engine.api.post('/apis/hykube.io/v1alpha1/namespaces/default/plans', {
      apiVersion: 'hykube.io/v1alpha1',
      kind: 'Plan',
      metadata: { name: 'p' },
      spec: { [field]: ['sim_network.main', 'sim_netwrk.main'] },
    })
    expect(answer.status).toBe(422)
    expect(answer.document.message).toContain(
      `spec.${field}[1]: Invalid value: "sim_netwrk.main": no provider has a type sim_netwrk`,
    )
  })

  test('of one namespace leaves others alone', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    await s.write('sim_network.main', network('n'), { namespace: 'other' })
    expect(await (await s.plan()).changes()).toHaveLength(1)
    expect(await (await s.plan({ allNamespaces: true })).changes()).toHaveLength(2)
  })

  test('across namespaces an object is referred to by its name there', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'), { namespace: 'other' })
    await s.write('sim_subnet.a', { network_id: '${sim_network["other/main"].id}', cidr: '10.0.1.0/24' })
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_subnet.a'])
    const plan = await s.plan({ allNamespaces: true })
    expect(await plan.lines()).toEqual(['create sim_network["other/main"]', 'create sim_subnet.a'])
    expect(await plan.apply()).toBe('Applied')
    const { id } = await s.attributes('sim_network.main', 'other')
    expect((await s.attributes('sim_subnet.a')).network_id).toBe(id)
  })
})

test('progress is told not more often than once a second', async () => {
  const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
  const s = await shared.scenario({ clock })
  await s.write('sim_network.main', network('n'))
  const plan = await s.plan()
  const held = holding(s, (call) => call === '+ sim_network')
  await plan.decide('Approved')
  await held.waits
  expect((await plan.status()).progress).toBeUndefined()
  clock.advance(1000)
  const { progress } = await plan.reaches((status) => status.progress !== undefined)
  expect(progress).toMatchObject({ total: 1, done: 0, running: [{ address: 'sim_network.main', action: 'create' }] })
  held.go()
  expect(await plan.ends()).toBe('Applied')
})
