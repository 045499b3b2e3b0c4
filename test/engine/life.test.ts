import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applied, failing } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const network = (name: string, cidr = '10.0.0.0/16') => ({ name, cidr })

/** A network, a subnet in it and a machine in that, applied. */
async function stack(s: Scenario, lifecycle: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await s.write('sim_network.main', network('main'))
  await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
  await s.write('sim_instance.web', { subnet_id: '${sim_subnet.a.id}', image: 'i1', ...lifecycle })
  expect(await (await s.apply()).phase()).toBe('Applied')
}

describe('the life of objects', () => {
  test('a create is planned, and happens when it is approved', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('first'))
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_network.main'])
    expect(s.world.all().filter(({ object }) => object.name === 'first')).toEqual([])
    expect(await plan.apply()).toBe('Applied')
    const { id } = await s.attributes('sim_network.main')
    expect(s.world.read('sim_network', id)).toEqual({ id, name: 'first', cidr: '10.0.0.0/16' })
    const { status } = await s.read('sim_network.main')
    expect(status.observedGeneration).toBe(1)
    expect(status.conditions.find(({ type }: { type: string }) => type === 'Ready').status).toBe('True')
    expect(await (await s.plan()).phase()).toBe('NoChanges')
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('a plan in which nothing changed asks no provider anything', async () => {
    const s = await shared.scenario()
    await stack(s)
    await s.plan()
    s.engine.providers.calls.length = 0
    expect(await (await s.plan()).phase()).toBe('NoChanges')
    expect(s.engine.providers.calls).toEqual([])
  })

  test('a planned change is not planned again to be applied, unless the provider may answer otherwise or more is known now', async () => {
    const s = await shared.scenario()
    const { providers } = s.engine
    const asked = async (change: () => Promise<unknown>) => {
      await change()
      const plan = await s.plan()
      providers.calls.length = 0
      expect(await plan.apply()).toBe('Applied')
      return providers.calls.filter((call) => call.startsWith('planResourceChange'))
    }
    expect(await asked(() => s.write('sim_network.main', network('first')))).toEqual([])
    expect(await asked(() => s.write('sim_network.main', network('second')))).toEqual([])
    const id = (await s.attributes('sim_network.main')).id as string
    expect(s.world.read('sim_network', id)).toMatchObject({ name: 'second' })
    const both = async () => {
      await s.write('sim_network.other', network('other'))
      await s.write('sim_subnet.a', { network_id: '${sim_network.other.id}', cidr: '10.0.1.0/24' })
    }
    expect(await asked(both)).toEqual(['planResourceChange sim_subnet'])
    providers.alter = (session) => ({ ...session, plansDeterministically: () => false })
    expect(await asked(() => s.write('sim_network.main', network('third')))).toEqual(['planResourceChange sim_network'])
  })

  test('an update in place shows what changes', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('old'))
    await s.apply()
    await s.write('sim_network.main', network('new'))
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['update sim_network.main'])
    const { change } = await plan.change('sim_network.main')
    expect([change.before.name, change.after.name]).toEqual(['old', 'new'])
    await plan.apply()
    const { id } = await s.attributes('sim_network.main')
    expect(s.world.read('sim_network', id)).toMatchObject({ name: 'new' })
  })

  test('a value that another object gives is unknown in the plan, and known when it is applied', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('main'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
    const plan = await s.plan()
    expect((await plan.change('sim_subnet.a')).change.after_unknown).toMatchObject({ network_id: true, id: true })
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_subnet.a')).network_id).toBe((await s.attributes('sim_network.main')).id)
  })

  test('a replacement destroys first, and what is made from it goes before it', async () => {
    const s = await shared.scenario()
    await stack(s)
    const before = await s.attributes('sim_subnet.a')
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.2.0/24' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'replace sim_instance.web: replace_because_cannot_update',
      'replace sim_subnet.a: replace_because_cannot_update',
    ])
    expect((await plan.change('sim_subnet.a')).change.replace_paths).toEqual([['cidr']])
    expect((await plan.change('sim_instance.web')).change.replace_paths).toEqual([['subnet_id']])
    const order = applied(s)
    expect(await plan.apply()).toBe('Applied')
    expect(order).toEqual(['- sim_instance', '- sim_subnet', '+ sim_subnet', '+ sim_instance'])
    const after = await s.attributes('sim_subnet.a')
    expect(after.id).not.toBe(before.id)
    expect(s.world.read('sim_subnet', before.id)).toBeUndefined()
    expect((await s.attributes('sim_instance.web')).subnet_id).toBe(after.id)
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('create_before_destroy is contagious to what it refers to, and leaves nothing behind', async () => {
    const s = await shared.scenario()
    await stack(s, { lifecycle: { create_before_destroy: true } })
    const before = await s.attributes('sim_subnet.a')
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.2.0/24' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'replace (create-first) sim_instance.web: replace_because_cannot_update',
      'replace (create-first) sim_subnet.a: replace_because_cannot_update',
    ])
    const order = applied(s)
    expect(await plan.apply()).toBe('Applied')
    expect(order).toEqual(['+ sim_subnet', '+ sim_instance', '- sim_instance', '- sim_subnet'])
    expect(s.world.read('sim_subnet', before.id)).toBeUndefined()
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('a resource whose destruction failed is destroyed by the next plan', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'one', lifecycle: { create_before_destroy: true } })
    await s.apply()
    const old = await s.attributes('sim_bucket.b')
    await s.write('sim_bucket.b', { name: 'two', lifecycle: { create_before_destroy: true } })
    failing(s, (call) => call === '- sim_bucket')
    const plan = await s.plan()
    expect(await plan.apply()).toBe('PartiallyApplied')
    s.engine.providers.intercept = () => undefined
    expect(s.world.read('sim_bucket', old.id)).toBeDefined()
    const next = await s.plan()
    expect(await next.lines()).toEqual(['delete sim_bucket.b (deposed)'])
    expect(await next.apply()).toBe('Applied')
    expect(s.world.read('sim_bucket', old.id)).toBeUndefined()
    expect((await s.attributes('sim_bucket.b')).name).toBe('two')
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('a second replacement forgets nothing that the first one left behind', async () => {
    const s = await shared.scenario()
    const bucket = (name: string) => ({ name, lifecycle: { create_before_destroy: true } })
    const ids: string[] = []
    const made = async () => ids.push((await s.attributes('sim_bucket.b')).id)
    await s.write('sim_bucket.b', bucket('one'))
    await s.apply()
    await made()
    failing(s, (call) => call === '- sim_bucket')
    for (const name of ['two', 'three']) {
      await s.write('sim_bucket.b', bucket(name))
      await s.apply()
      await made()
    }
    s.engine.providers.intercept = () => undefined
    expect(ids.map((id) => s.world.read('sim_bucket', id)?.name)).toEqual(['one', 'two', 'three'])
    const next = await s.plan()
    expect(await next.lines()).toEqual(['delete sim_bucket.b (deposed)', 'delete sim_bucket.b (deposed)'])
    expect(await next.apply()).toBe('Applied')
    expect(ids.map((id) => s.world.read('sim_bucket', id)?.name)).toEqual([undefined, undefined, 'three'])
  })

  test('a replacement destroys its own old object, and not one that was left behind before', async () => {
    const s = await shared.scenario()
    const bucket = (name: string) => ({ name: `own ${name}`, lifecycle: { create_before_destroy: true } })
    await s.write('sim_bucket.b', bucket('one'))
    await s.apply()
    const first = await s.attributes('sim_bucket.b')
    s.world.refuse({ verb: 'DELETE', type: 'sim_bucket', text: first.id })
    for (const name of ['two', 'three']) {
      await s.write('sim_bucket.b', bucket(name))
      await s.apply()
    }
    s.world.refuse(undefined)
    const names = s.world.all().map(({ object }) => String(object.name))
    expect(names.filter((name) => name.startsWith('own ')).sort()).toEqual(['own one', 'own three'])
    expect(await (await s.apply()).lines()).toEqual(['delete sim_bucket.b (deposed)'])
    expect(s.world.read('sim_bucket', first.id)).toBeUndefined()
  })

  test('when the new object can not be made, the old one is the current one again', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'one', lifecycle: { create_before_destroy: true } })
    await s.apply()
    const old = await s.attributes('sim_bucket.b')
    await s.write('sim_bucket.b', { name: 'two', lifecycle: { create_before_destroy: true } })
    failing(s, (call) => call === '+ sim_bucket')
    expect(await (await s.apply()).phase()).toBe('Failed')
    s.engine.providers.intercept = () => undefined
    expect(s.world.read('sim_bucket', old.id)).toBeDefined()
    expect(await (await s.plan()).lines()).toEqual([
      'replace (create-first) sim_bucket.b: replace_because_cannot_update',
    ])
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(s.world.read('sim_bucket', old.id)).toBeUndefined()
  })

  test('a delete waits for a plan, goes in order and takes the object away', async () => {
    const s = await shared.scenario()
    await stack(s)
    const { id } = await s.attributes('sim_network.main')
    for (const address of ['sim_network.main', 'sim_subnet.a', 'sim_instance.web']) {
      const answer = await s.delete(address)
      expect(answer.status).toBe(200)
      expect(String(answer.headers.warning)).toContain('nothing is destroyed until a plan is applied')
    }
    expect((await s.read('sim_network.main')).metadata).toMatchObject({
      finalizers: ['hykube.io/managed'],
      deletionTimestamp: expect.any(String),
    })
    expect(s.world.read('sim_network', id)).toBeDefined()
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'delete sim_instance.web: delete_because_no_resource_config',
      'delete sim_network.main: delete_because_no_resource_config',
      'delete sim_subnet.a: delete_because_no_resource_config',
    ])
    const order = applied(s)
    expect(await plan.apply()).toBe('Applied')
    expect(order).toEqual(['- sim_instance', '- sim_subnet', '- sim_network'])
    expect(await s.read('sim_network.main')).toBeUndefined()
    expect(s.world.read('sim_network', id)).toBeUndefined()
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('an object that was never applied is deleted at once', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('main'))
    await s.delete('sim_network.main')
    expect(await s.read('sim_network.main')).toBeUndefined()
    expect(await (await s.plan()).phase()).toBe('NoChanges')
  })

  test('an undelete takes the deletion back', async () => {
    const s = await shared.scenario()
    await stack(s)
    await s.delete('sim_instance.web')
    expect((await s.undelete('sim_instance.web')).status).toBe(200)
    expect(await (await s.plan()).lines()).toEqual([])
    expect((await s.read('sim_instance.web')).metadata.deletionTimestamp).toBeUndefined()
  })

  test('a deletion is not applied until a plan destroys, and an undelete restores that', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'b' })
    await s.apply()
    const applied = async () => {
      const { metadata, status } = await s.read('sim_bucket.b')
      const of = (type: string) => status.conditions.find((each: { type: string }) => each.type === type)
      const isObserved = status.observedGeneration === metadata.generation
      const { status: value, reason } = of('Applied')
      return { value, reason, ready: of('Ready').status, isObserved }
    }
    const settled = { value: 'True', reason: 'Applied', ready: 'True', isObserved: true }
    expect(await applied()).toEqual(settled)
    await s.delete('sim_bucket.b')
    const pending = { value: 'False', reason: 'Pending', ready: 'True', isObserved: false }
    expect(await applied()).toEqual(pending)
    await s.undelete('sim_bucket.b')
    expect(await applied()).toEqual(settled)
    await s.write('sim_bucket.b', { name: 'c' })
    await s.delete('sim_bucket.b')
    await s.undelete('sim_bucket.b')
    expect(await applied()).toEqual(pending)
  })

  test('a resource that a remaining object refers to is not deleted', async () => {
    const s = await shared.scenario()
    await stack(s)
    await s.delete('sim_subnet.a')
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_instance.web', 'blocked sim_subnet.a'])
    expect((await plan.change('sim_subnet.a')).message).toContain('sim_instance.web')
    expect(await plan.status()).toMatchObject({ phase: 'Blocked', finishedAt: expect.any(String) })
    expect((await plan.decide('Approved')).document.message).toContain('is Blocked; only a plan in phase Planned')
  })

  test('a plan that is blocked in part is Planned', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('one'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.gone.id}', cidr: '10.0.1.0/24' })
    expect(await (await s.plan()).status()).toMatchObject({ phase: 'Planned', summary: { create: 1, blocked: 1 } })
    await s.delete('sim_network.main')
    const table = await s.engine.api.send('GET', '/apis/hykube.io/v1alpha1/namespaces/default/plans', {
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    })
    const columns = table.document.columnDefinitions as { name: string; priority: number }[]
    expect(columns.filter(({ priority }) => priority === 0).map(({ name }) => name)).toContain('Blocked')
  })

  test('Destroy removes what is outside and leaves the objects', async () => {
    const s = await shared.scenario()
    await stack(s)
    const { id } = await s.attributes('sim_network.main')
    const plan = await s.plan({ mode: 'Destroy' })
    expect(await plan.lines()).toEqual(['delete sim_instance.web', 'delete sim_network.main', 'delete sim_subnet.a'])
    const order = applied(s)
    expect(await plan.apply()).toBe('Applied')
    expect(order).toEqual(['- sim_instance', '- sim_subnet', '- sim_network'])
    expect(s.world.read('sim_network', id)).toBeUndefined()
    const { metadata, status } = await s.read('sim_network.main')
    expect(metadata.finalizers).toBeUndefined()
    expect(status.attributes).toBeUndefined()
    expect(await (await s.plan()).lines()).toEqual([
      'create sim_instance.web',
      'create sim_network.main',
      'create sim_subnet.a',
    ])
  })

  test('lifecycle.destroy: false forgets instead of destroying', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { ...network('kept'), lifecycle: { destroy: false } })
    await s.apply()
    const { id } = await s.attributes('sim_network.main')
    await s.delete('sim_network.main')
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([expect.stringContaining('forget sim_network.main')])
    expect(await plan.apply()).toBe('Applied')
    expect(await s.read('sim_network.main')).toBeUndefined()
    expect(s.world.read('sim_network', id)).toBeDefined()
  })

  test('a replacement that forgets the old object destroys nothing', async () => {
    const s = await shared.scenario()
    const lifecycle = { destroy: false }
    await s.write('sim_bucket.b', { name: 'one', lifecycle })
    await s.apply()
    const { id } = await s.attributes('sim_bucket.b')
    await s.write('sim_bucket.b', { name: 'two', lifecycle })
    const plan = await s.apply()
    expect(await plan.status()).toMatchObject({
      summary: { replace: 1, kept: 1, delete: 0 },
      outcome: { added: 1, changed: 0, destroyed: 0 },
    })
    expect(s.world.read('sim_bucket', id)).toBeDefined()
  })

  test('prevent_destroy refuses a delete, and blocks a replacement', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'one', lifecycle: { prevent_destroy: true } })
    await s.apply()
    const answer = await s.delete('sim_bucket.b')
    expect(answer.status).toBe(403)
    expect(answer.document.message).toContain('prevent_destroy')
    await s.write('sim_bucket.b', { name: 'two', lifecycle: { prevent_destroy: true } })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_bucket.b'])
    expect((await plan.change('sim_bucket.b')).diagnostics?.[0]?.summary).toBe('Instance cannot be destroyed')
    expect(await (await s.plan({ mode: 'Destroy' })).lines()).toEqual(['blocked sim_bucket.b'])
  })

  test('prevent_destroy that was taken away holds until that was applied', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'one', lifecycle: { prevent_destroy: true } })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'one' })
    expect((await s.delete('sim_bucket.b')).status).toBe(403)
    await s.apply()
    expect((await s.delete('sim_bucket.b')).status).toBe(200)
    expect(await (await s.apply()).phase()).toBe('Applied')
  })

  test('ignore_changes leaves what it names as it is', async () => {
    const s = await shared.scenario()
    const lifecycle = { ignore_changes: ['tags["team"]', 'size'] }
    await s.write('sim_network.main', network('main'))
    await s.write('sim_instance.web', {
      subnet_id: 's',
      image: 'i',
      size: 'small',
      tags: { team: 'a', n: '1' },
      lifecycle,
    })
    await s.apply()
    await s.write('sim_instance.web', {
      subnet_id: 's',
      image: 'i',
      size: 'large',
      tags: { team: 'b', n: '2' },
      lifecycle,
    })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['update sim_instance.web'])
    await plan.apply()
    expect(await s.attributes('sim_instance.web')).toMatchObject({ size: 'small', tags: { team: 'a', n: '2' } })
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('replace_triggered_by replaces with what it names, and with nothing else', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('one'))
    await s.write('sim_null.n', { lifecycle: { replace_triggered_by: ['sim_network.main.name'] } })
    await s.apply()
    expect(await (await s.plan()).lines()).toEqual([])
    await s.write('sim_network.main', network('one', '10.1.0.0/16'))
    expect(await (await s.plan()).lines()).toEqual(['update sim_network.main'])
    await s.write('sim_network.main', network('two', '10.1.0.0/16'))
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['replace sim_null.n: replace_by_triggers', 'update sim_network.main'])
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan()).lines()).toEqual([])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('replace_triggered_by of one instance follows that one', async () => {
    const s = await shared.scenario()
    const batch = (second: string) => ({
      for_each: { a: '1', b: second },
      name: '${each.key}',
      tags: { v: '${each.value}' },
    })
    await s.write('sim_bucket.many', batch('1'))
    const by = (what: string) => ({ triggers: {}, lifecycle: { replace_triggered_by: [what] } })
    await s.write('sim_null.a', by('sim_bucket.many["a"]'))
    await s.write('sim_null.b', by('sim_bucket.many["b"].tags'))
    await s.write('sim_null.any', by('sim_bucket.many'))
    await s.write('sim_null.each', { ...by('sim_bucket.many[each.key]'), for_each: { a: '1', b: '2' } })
    await s.apply()
    await s.write('sim_bucket.many', batch('2'))
    const expected = [
      'replace sim_null.any: replace_by_triggers',
      'replace sim_null.b: replace_by_triggers',
      'replace sim_null.each["b"]: replace_by_triggers',
      'update sim_bucket.many["b"]',
    ]
    expect(await (await s.plan()).lines()).toEqual(expected)
    expect(await (await s.apply({ scope: 'All' })).lines()).toEqual(expected)
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('replace_triggered_by does not follow a creation, and follows drift that is put right', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('triggering'))
    await s.write('sim_null.n', { lifecycle: { replace_triggered_by: ['sim_network.main'] } })
    await s.apply()
    const { id } = await s.attributes('sim_network.main')
    s.world.edit('sim_network', id, { name: 'drifted' })
    const drifted = ['replace sim_null.n: replace_by_triggers', 'update sim_network.main']
    expect(await (await s.plan({ refresh: 'All' })).lines()).toEqual(drifted)
    expect(await (await s.plan()).lines()).toEqual(drifted)
    s.world.remove('sim_network', id)
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.main'])
  })

  test('depends_on orders without a value', async () => {
    const s = await shared.scenario()
    await s.write('sim_null.later', { depends_on: ['sim_network.main'] })
    await s.write('sim_network.main', network('main'))
    const order = applied(s)
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(order).toEqual(['+ sim_network', '+ sim_null'])
    await s.write('sim_network.main', network('other'))
    expect(await (await s.plan()).lines()).toEqual(['update sim_network.main'])
    await s.apply()
    await s.delete('sim_null.later')
    await s.delete('sim_network.main')
    order.length = 0
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(order).toEqual(['- sim_null', '- sim_network'])
  })

  test('a create that failed half way is tainted, and replaced next time', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('main'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
    failing(s, (call) => call === '+ sim_network', 'after')
    const failed = await s.apply()
    expect(await failed.phase()).toBe('Failed')
    expect((await failed.change('sim_network.main')).outcome?.result).toBe('failed')
    expect((await failed.change('sim_subnet.a')).outcome?.result).toBe('skipped')
    s.engine.providers.intercept = () => undefined
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_subnet.a', 'replace sim_network.main: replace_because_tainted'])
    expect(await plan.apply()).toBe('Applied')
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
  })

  test('a failure stops what depends on it, and nothing else', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.bad', network('bad'))
    await s.write('sim_subnet.bad', { network_id: '${sim_network.bad.id}', cidr: '10.0.1.0/24' })
    await s.write('sim_bucket.good', { name: 'good' })
    failing(s, (call) => call === '+ sim_network')
    const plan = await s.apply()
    expect(await plan.phase()).toBe('PartiallyApplied')
    expect((await plan.changes()).map(({ address, outcome }) => [address, outcome?.result])).toEqual([
      ['sim_bucket.good', 'applied'],
      ['sim_network.bad', 'failed'],
      ['sim_subnet.bad', 'skipped'],
    ])
    expect((await s.read('sim_network.bad')).status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Applied', status: 'False', reason: 'ApplyFailed' }),
    )
    s.engine.providers.intercept = () => undefined
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.bad', 'create sim_subnet.bad'])
  })

  test('an edge that is taken away lets the old target go after the update', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network('a'))
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', tags: { net: '${sim_network.a.id}' } })
    await s.apply()
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i' })
    await s.delete('sim_network.a')
    const order = applied(s)
    const plan = await s.plan()
    expect(await plan.lines()).toEqual([
      'delete sim_network.a: delete_because_no_resource_config',
      'update sim_instance.web',
    ])
    expect(await plan.apply()).toBe('Applied')
    expect(order).toEqual(['~ sim_instance', '- sim_network'])
  })
})

test('a Provider is not deleted by accident, and nobody but the server lets it go', async () => {
  const s = await shared.scenario()
  const provider = '/apis/hykube.io/v1alpha1/providers/sim'
  await s.configure({})
  await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16' })
  await s.apply()
  const refused = await s.engine.api.delete(provider)
  expect([refused.status, refused.document.message]).toEqual([409, expect.stringContaining('default/main')])
  await s.engine.api.patch(provider, { metadata: { annotations: { 'hykube.io/destroy': 'allowed' } } })
  const allowed = await s.engine.api.delete(provider)
  expect([allowed.status, String(allowed.headers.warning)]).toEqual([200, expect.stringContaining('--wait=false')])
  await s.engine.api.patch(provider, { metadata: { finalizers: null } })
  const { metadata } = (await s.engine.api.get(provider)).document
  expect([metadata.finalizers, metadata.deletionTimestamp]).toEqual([['hykube.io/kinds'], expect.any(String)])
})
