import { journalKey, recordToBytes, type StoredIntent } from '@hykube/server/estate'
import { changePlanStatus, reportEndedProcesses } from '@hykube/server/plans'
import { ProviderFailure } from '@hykube/server/provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holding } from './faults.ts'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const bucket = { name: 'b' }
const crashed = () => new ProviderFailure('ProviderCrashed', 'its process ended')
const unavailable = () => new ProviderFailure('ProviderUnavailable', 'it is not started just now', { sent: false })

/** The simulated cloud as one that promises nothing. */
async function blind(): Promise<Scenario> {
  const s = await shared.scenario()
  s.engine.providers.alter = (session) => ({ ...session, isRepeatable: () => false })
  return s
}

/** How calls that change something end: done or not, and the answer lost for a reason. */
function losing(s: Scenario, ends: readonly { readonly isDone: boolean; readonly error: () => Error }[]): void {
  let next = 0
  s.engine.providers.intercept = ({ method, go }) => {
    const end = method === 'applyResourceChange' ? ends[next++] : undefined
    if (end === undefined) return undefined
    return (end.isDone ? go() : Promise.resolve()).then(() => {
      throw end.error()
    })
  }
}

const condition = async (s: Scenario, address: string, type: string) =>
  (await s.read(address)).status.conditions.find((each: { type: string }) => each.type === type)

const resolve = (s: Scenario, name: string, body: object) =>
  s.engine.api.post(`/apis/sim.hykube.io/v1/namespaces/default/sim-buckets/${name}/resolve`, body)

const ids = (s: Scenario, name: string) =>
  s.world
    .all()
    .filter(({ object }) => object.name === name)
    .map(({ id }) => id)

describe('a call whose answer was lost', () => {
  test('is repeated where the provider takes a token, also when it can not be asked at once', async () => {
    const s = await shared.scenario()
    const name = 'repeated'
    await s.write('sim_bucket.b', { name })
    losing(s, [
      { isDone: true, error: crashed },
      { isDone: false, error: unavailable },
    ])
    const plan = await s.apply()
    expect(await plan.phase()).toBe('Applied')
    expect(ids(s, name)).toEqual([(await s.attributes('sim_bucket.b')).id])
  })

  test('is repeated with what was planned when the object was changed meanwhile', async () => {
    const s = await shared.scenario()
    const name = 'changed-meanwhile'
    await s.write('sim_bucket.b', { name, tags: { v: '1' } })
    losing(s, [{ isDone: true, error: crashed }])
    const intercept = s.engine.providers.intercept
    s.engine.providers.intercept = (call) => {
      const lost = intercept(call)
      // A writer who comes just before the call is repeated.
      return lost?.catch(async (error: Error) => {
        await s.write('sim_bucket.b', { name, tags: { v: '2' } })
        throw error
      })
    }
    const plan = await s.apply()
    expect((await plan.change('sim_bucket.b')).outcome?.result).toBe('applied')
    expect(ids(s, name)).toHaveLength(1)
    await s.apply()
    expect(await s.attributes('sim_bucket.b')).toMatchObject({ tags: { v: '2' } })
    expect(ids(s, name)).toHaveLength(1)
  })

  test('is kept with what was sent, unless its change says that', async () => {
    const s = await blind()
    const { estate } = s.engine.parts
    const name = 'sent'
    const call = { ref: refOf('b'), instance: undefined }
    await s.write('sim_bucket.b', { name, tags: { v: '1' } })
    losing(s, [{ isDone: true, error: crashed }])
    await s.apply()
    expect(await estate.intent(call)).toMatchObject({ intent: { step: 'create' } })
    expect(await estate.request(call)).toBeUndefined()
    await resolve(s, 'b', { decision: 'Adopt', id: ids(s, name)[0] })
    await s.write('sim_bucket.b', { name, tags: { v: '2' } })
    losing(s, [
      { isDone: true, error: crashed },
      { isDone: true, error: crashed },
    ])
    s.engine.providers.alter = (session) => ({
      ...session,
      isRepeatable: () => false,
      port: { ...session.port, readResource: () => Promise.reject(crashed()) },
    })
    await s.apply({ refresh: 'None' })
    expect(await estate.intent(call)).toMatchObject({ intent: { step: 'update' } })
    expect(await estate.request(call)).toMatchObject({ prior: expect.any(String), planned: expect.any(String) })
    await resolve(s, 'b', { decision: 'Retry' })
    expect(await estate.intent(call)).toBeUndefined()
    expect(await estate.request(call)).toBeUndefined()
  })

  test('of a provider that promises nothing is left to a person, with what it could be', async () => {
    const s = await blind()
    const name = 'lost'
    await s.write('sim_bucket.b', { name })
    losing(s, [{ isDone: true, error: crashed }])
    const plan = await s.apply()
    const [id] = ids(s, name)
    expect(await condition(s, 'sim_bucket.b', 'Stalled')).toMatchObject({ status: 'True', reason: 'OutcomeUnknown' })
    expect((await condition(s, 'sim_bucket.b', 'Stalled')).message).toContain(`it could be ${id} (${name})`)
    expect((await plan.change('sim_bucket.b')).outcome).toMatchObject({ result: 'unknown' })
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_bucket.b'])
    expect((await resolve(s, 'b', { decision: 'Adopt', id })).status).toBe(201)
    expect(await condition(s, 'sim_bucket.b', 'Stalled')).toMatchObject({ status: 'False' })
    expect(await (await s.plan()).lines()).toEqual([])
    expect(ids(s, name)).toEqual([id])
  })

  test('is looked into again when the provider could not list what there is at once', async () => {
    const s = await blind()
    const alter = s.engine.providers.alter
    let isFirst = true
    s.engine.providers.alter = (session) => ({
      ...alter(session),
      list: async (...asked) => {
        if (!isFirst) return session.list!(...asked)
        isFirst = false
        throw crashed()
      },
    })
    await s.write('sim_bucket.b', { name: 'listed-late' })
    losing(s, [{ isDone: true, error: crashed }])
    await s.apply()
    const [id] = ids(s, 'listed-late')
    expect((await condition(s, 'sim_bucket.b', 'Stalled')).message).toContain(`it could be ${id}`)
  })

  test('names nothing as what it could be that is of something else, or not as planned', async () => {
    const s = await blind()
    await s.write('sim_bucket.other', { name: 'twin' })
    await s.apply()
    s.world.write('sim_bucket', 'bucket-else', { name: 'another' })
    await s.write('sim_bucket.b', { name: 'twin' })
    losing(s, [{ isDone: false, error: crashed }])
    await s.apply()
    expect((await condition(s, 'sim_bucket.b', 'Stalled')).message).toContain('the provider lists no resource')
    expect((await resolve(s, 'b', { decision: 'Retry' })).status).toBe(201)
    expect(await (await s.apply()).phase()).toBe('Applied')
  })

  test('of several instances is decided for each, and the object says so until all are', async () => {
    const s = await blind()
    await s.write('sim_bucket.b', { count: 2, name: 'several-${count.index}' })
    losing(s, [
      { isDone: true, error: crashed },
      { isDone: true, error: crashed },
    ])
    await s.apply()
    expect((await resolve(s, 'b', { decision: 'Adopt', id: ids(s, 'several-0')[0], instance: 0 })).status).toBe(201)
    const stalled = await condition(s, 'sim_bucket.b', 'Stalled')
    expect(stalled).toMatchObject({ status: 'True', reason: 'OutcomeUnknown' })
    expect(stalled.message).toContain('sim_bucket.b[1]')
    await resolve(s, 'b', { decision: 'Adopt', id: ids(s, 'several-1')[0], instance: 1 })
    expect(await condition(s, 'sim_bucket.b', 'Stalled')).toMatchObject({ status: 'False' })
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('is read if it was an update, and is applied when everything planned is there', async () => {
    const s = await blind()
    await s.write('sim_bucket.b', { name: 'u' })
    await s.apply()
    await s.write('sim_bucket.b', { name: 'u', tags: { a: 'b' } })
    losing(s, [{ isDone: true, error: crashed }])
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await s.attributes('sim_bucket.b')).toMatchObject({ tags: { a: 'b' } })
  })

  test('leaves the old object of a replacement as it was if it was never sent', async () => {
    const s = await blind()
    const lifecycle = { create_before_destroy: true }
    await s.write('sim_bucket.b', { name: 'old', lifecycle })
    await s.apply()
    const { id } = await s.attributes('sim_bucket.b')
    await s.write('sim_bucket.b', { name: 'new', lifecycle })
    losing(s, [{ isDone: false, error: unavailable }])
    await s.apply()
    const [instance] = await s.instances('sim_bucket.b')
    expect(instance).toMatchObject({ attributes: { id } })
    expect(instance.deposed).toBeUndefined()
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect([...ids(s, 'old'), ...ids(s, 'new')]).toHaveLength(1)
  })

  test('can not be decided by a person while it is under way', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', bucket)
    const held = holding(s, () => true)
    const plan = await s.plan()
    await plan.decide('Approved')
    await held.waits
    const { status, document } = await resolve(s, 'b', { decision: 'Retry' })
    expect(status).toBe(409)
    expect(document.message).toContain('is changing')
    held.go()
    expect(await plan.ends()).toBe('Applied')
  })

  test('on another machine is decided when its time is over, not before', async () => {
    const s = await blind()
    const name = 'elsewhere'
    await s.write('sim_bucket.b', { name })
    losing(s, [{ isDone: true, error: crashed }])
    await s.apply()
    const call = { ref: refOf('b'), instance: undefined }
    const rewrite = async (change: object) => {
      const { intent } = (await s.engine.parts.estate.intent(call))!
      const value = recordToBytes({ ...intent, repeatable: true, ...change })
      await s.engine.parts.estate.commit({ operations: [{ kind: 'put', key: journalKey(call), value }] })
    }
    const process = { pid: 1, startTime: '', host: 'elsewhere' }
    await rewrite({ process, deadline: Date.now() + 60_000, unknown: undefined })
    await s.engine.recoverOpenCalls()
    expect((await condition(s, 'sim_bucket.b', 'Stalled')).message).toContain(
      'machine elsewhere may be running the call until',
    )
    await rewrite({ deadline: Date.now() - 1 })
    await s.engine.recoverOpenCalls()
    expect(await condition(s, 'sim_bucket.b', 'Ready')).toMatchObject({ status: 'True' })
    expect(ids(s, name)).toHaveLength(1)
  })

  test('on another machine is decided as soon as a server there says that its process is no more', async () => {
    const s = await blind()
    const { estate } = s.engine.parts
    const name = 'ended-elsewhere'
    await s.write('sim_bucket.b', { name })
    losing(s, [{ isDone: true, error: crashed }])
    await s.apply()
    const call = { ref: refOf('b'), instance: undefined }
    const { intent } = (await estate.intent(call))!
    const process = { pid: 1, startTime: '', host: 'elsewhere' }
    const changed = { repeatable: true, process, deadline: Date.now() + 60_000, unknown: undefined }
    const value = recordToBytes({ ...intent, ...changed })
    await estate.commit({ operations: [{ kind: 'put', key: journalKey(call), value }] })
    // Nobody has looked into it yet: it is not touched.
    expect(await reportEndedProcesses(estate, 'elsewhere', async () => false)).toBe(0)
    await s.engine.recoverOpenCalls()
    expect(await reportEndedProcesses(estate, 'here', async () => false)).toBe(0)
    expect(await reportEndedProcesses(estate, 'elsewhere', async () => true)).toBe(0)
    await s.engine.recoverOpenCalls()
    expect(await condition(s, 'sim_bucket.b', 'Stalled')).toMatchObject({ reason: 'OutcomeUnknown' })
    expect(await reportEndedProcesses(estate, 'elsewhere', async () => false)).toBe(1)
    expect(await reportEndedProcesses(estate, 'elsewhere', async () => false)).toBe(0)
    await s.engine.recoverOpenCalls()
    expect(await condition(s, 'sim_bucket.b', 'Ready')).toMatchObject({ status: 'True' })
    expect(ids(s, name)).toHaveLength(1)
  })
})

describe('an object that was deleted', () => {
  test('while it was made goes with the next plan', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'deleted-meanwhile' })
    const held = holding(s, () => true)
    const plan = await s.plan()
    await plan.decide('Approved')
    await held.waits
    expect((await s.delete('sim_bucket.b')).status).toBe(200)
    held.go()
    await plan.ends()
    expect(ids(s, 'deleted-meanwhile')).toHaveLength(1)
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(ids(s, 'deleted-meanwhile')).toEqual([])
    expect(await s.read('sim_bucket.b')).toBeUndefined()
  })

  test('can not be taken back while it is destroyed', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { name: 'going' })
    await s.apply()
    await s.delete('sim_bucket.b')
    const held = holding(s, () => true)
    const plan = await s.plan()
    await plan.decide('Approved')
    await held.waits
    expect((await s.undelete('sim_bucket.b')).status).toBe(409)
    held.go()
    expect(await plan.ends()).toBe('Applied')
    expect(await s.read('sim_bucket.b')).toBeUndefined()
  })

  test('stays while it is unknown whether it was created', async () => {
    const s = await blind()
    await s.write('sim_bucket.b', { name: 'perhaps' })
    losing(s, [{ isDone: false, error: crashed }])
    await s.apply()
    await s.delete('sim_bucket.b')
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_bucket.b'])
    expect(await s.read('sim_bucket.b')).toBeDefined()
    await resolve(s, 'b', { decision: 'Retry' })
    expect(await s.read('sim_bucket.b')).toBeUndefined()
  })
})

test('a thousand calls that a server left open when it died are decided fifty at a time, and none makes a second object', {
  timeout: 120_000,
}, async () => {
  const s = await shared.scenario()
  const { estate, objects } = s.engine.parts
  const open = async () => {
    const all: StoredIntent[] = []
    for await (const stored of estate.intents('root')) all.push(stored)
    return all
  }
  s.engine.providers.alter = ({ list: _, ...session }) => ({ ...session, isRepeatable: () => false })
  losing(
    s,
    Array.from({ length: 1000 }, () => ({ isDone: true, error: crashed })),
  )
  await s.write('sim_bucket.b', { count: 1000, name: 'thousand-${count.index}' })
  const plan = await s.apply()
  expect(await open()).toHaveLength(1000)
  // As they are when nobody has looked into them, by a provider that takes a token.
  for (const stored of await open()) {
    const value = recordToBytes({ ...stored.intent, repeatable: true, unknown: undefined, waits: undefined })
    await estate.commit({ operations: [{ kind: 'put', key: journalKey(stored), value }] })
  }
  s.engine.providers.alter = (session) => session
  let running = 0
  let most = 0
  s.engine.providers.intercept = ({ method, go }) => {
    if (method !== 'applyResourceChange') return undefined
    most = Math.max(most, ++running)
    return go().finally(() => running--)
  }
  const { uid } = (await s.engine.api.get(plan.path)).document.metadata
  const place = { cluster: 'root', namespace: 'default', name: plan.name }
  await changePlanStatus(objects, place, uid, (status) => ({ ...status, phase: 'Applying' }))
  expect(await plan.ends()).toBe('Applied')
  expect(most).toBeGreaterThan(10)
  expect(most).toBeLessThanOrEqual(50)
  expect(await open()).toEqual([])
  const made = s.world.all().map(({ object }) => String(object.name))
  expect(made.filter((name) => name.startsWith('thousand-')).sort()).toEqual(
    Array.from({ length: 1000 }, (_, i) => `thousand-${i}`).sort(),
  )
  expect((await s.read('sim_bucket.b')).status.instances).toEqual({ total: 1000, ready: 1000 })
  expect(await (await s.plan({ scope: 'All' })).lines()).toEqual([])
})

test('a plan that was canceled before its server died begins nothing more', async () => {
  const s = await shared.scenario()
  await s.write('sim_bucket.b', { name: 'canceled' })
  const plan = await s.plan()
  const place = { cluster: 'root', namespace: 'default', name: plan.name }
  const { uid } = (await s.engine.api.get(plan.path)).document.metadata
  const canceled = { by: 'somebody', at: '2026-01-01T00:00:00Z' }
  await changePlanStatus(s.engine.parts.objects, place, uid, (status) => ({ ...status, phase: 'Applying', canceled }))
  expect(await plan.ends()).toBe('Canceled')
  expect(ids(s, 'canceled')).toEqual([])
})

test('a batch that was destroyed is not applied any more', async () => {
  const s = await shared.scenario()
  await s.write('sim_bucket.b', { count: 3, name: 'batch-${count.index}' })
  await s.apply()
  expect(await condition(s, 'sim_bucket.b', 'Applied')).toMatchObject({ status: 'True' })
  await s.apply({ mode: 'Destroy' })
  expect(await condition(s, 'sim_bucket.b', 'Applied')).toMatchObject({ status: 'False', reason: 'NotApplied' })
  expect(await condition(s, 'sim_bucket.b', 'Ready')).toMatchObject({ status: 'False', reason: 'NotApplied' })
  await s.apply()
  expect(await condition(s, 'sim_bucket.b', 'Applied')).toMatchObject({ status: 'True' })
})

function refOf(name: string) {
  return { cluster: 'root', group: 'sim.hykube.io', resource: 'sim-buckets', namespace: 'default', name }
}
