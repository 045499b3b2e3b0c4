import { ManualClock } from '@hykube/machinery/base'
import type { Condition } from '@hykube/machinery/object'
import type { SyncPolicyStatus } from '@hykube/machinery/sync-api'
import { type Authorizer, alwaysAllow } from '@hykube/server/auth'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { failing, holding } from './faults.ts'
import { type Scenario, SharedSim, type Spec } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const hour = 3_600_000
const policies = '/apis/hykube.io/v1alpha1/namespaces/default/syncpolicies'
const clusterPolicies = '/apis/hykube.io/v1alpha1/clustersyncpolicies'

async function open(): Promise<{ s: Scenario; clock: ManualClock }> {
  const clock = new ManualClock(Date.parse('2026-11-18T12:00:00Z'))
  return { s: await shared.scenario({ clock }), clock }
}

async function machine(s: Scenario, name: string, more: Spec = {}, labels = {}): Promise<string> {
  await s.write(`sim_instance.${name}`, { subnet_id: 's', image: 'i', size: 'small', ...more }, { labels })
  await s.apply()
  return (await s.attributes(`sim_instance.${name}`)).id
}

async function policy(s: Scenario, name: string, spec: Spec, path = policies): Promise<void> {
  const answer = await s.engine.api.post(path, { metadata: { name }, spec })
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
}

async function status(s: Scenario, name: string, path = policies): Promise<SyncPolicyStatus> {
  return ((await s.engine.api.get(`${path}/${name}`)).document.status ?? {}) as SyncPolicyStatus
}

function checked(s: Scenario, name: string, wanted: Partial<SyncPolicyStatus>, path = policies): Promise<void> {
  return vi.waitFor(async () => expect(await status(s, name, path)).toMatchObject(wanted), { timeout: 10_000 })
}

async function drift(s: Scenario, address: string): Promise<Condition | undefined> {
  const { conditions } = (await s.read(address)).status as { conditions: Condition[] }
  return conditions.find(({ type }) => type === 'Drifted')
}

/** Patches a policy, so that it does not matter that the server writes the status meanwhile. */
async function patch(s: Scenario, name: string, body: object, user?: string): Promise<void> {
  const headers = {
    'content-type': 'application/merge-patch+json',
    ...(user !== undefined && { 'impersonate-user': user }),
  }
  const answer = await s.engine.api.send('PATCH', `${policies}/${name}`, { body, headers })
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
}

async function eventReasons(s: Scenario, name: string): Promise<string[]> {
  const { items } = (await s.engine.api.get('/api/v1/namespaces/default/events')).document
  return (items as { involvedObject: { name: string }; reason: string }[])
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map((event) => event.reason)
}

async function reason(s: Scenario, name: string, type = 'Ready'): Promise<string | undefined> {
  return (await status(s, name)).conditions?.find((each) => each.type === type)?.reason
}

describe('a policy with mode Detect', () => {
  test('reports drift of the objects that it selects, and when it is over', async () => {
    const { s, clock } = await open()
    const web = await machine(s, 'web', {}, { team: 'web' })
    const other = await machine(s, 'other')
    for (const id of [web, other]) s.world.edit('sim_instance', id, { size: 'large' })
    await policy(s, 'web', { mode: 'Detect', selector: { matchLabels: { team: 'web' } }, every: '1h' })
    await checked(s, 'web', { resources: 1, drifted: 1, lastCheck: '2026-11-18T12:00:00Z' })
    expect(await drift(s, 'sim_instance.web')).toMatchObject({ status: 'True', message: 'changed outside: size' })
    expect(await drift(s, 'sim_instance.other')).not.toMatchObject({ status: 'True' })
    s.world.edit('sim_instance', web, { size: 'small' })
    clock.advance(hour)
    await checked(s, 'web', { resources: 1, drifted: 0, lastCheck: '2026-11-18T13:00:00Z' })
    expect(await drift(s, 'sim_instance.web')).toMatchObject({ status: 'False' })
    const { items } = (await s.engine.api.get('/api/v1/namespaces/default/events')).document
    const reasons = items.map((event: { reason: string }) => event.reason)
    expect(reasons.filter((each: string) => /^Drift/.test(each)).sort()).toEqual(['DriftResolved', 'Drifted'])
  })

  test('checks at once when it is asked to, also within the second of the last check', async () => {
    const { s } = await open()
    const id = await machine(s, 'web')
    await policy(s, 'all', { mode: 'Detect', every: '1h' })
    await checked(s, 'all', { drifted: 0, lastCheck: '2026-11-18T12:00:00Z' })
    s.world.edit('sim_instance', id, { size: 'large' })
    const { document } = await s.engine.api.get(`${policies}/all`)
    const annotations = { ...document.metadata.annotations, 'hykube.io/check-requested-at': '2026-11-18T12:00:00Z' }
    await s.engine.api.put(`${policies}/all`, { ...document, metadata: { ...document.metadata, annotations } })
    await checked(s, 'all', { drifted: 1, lastHandledRequest: '2026-11-18T12:00:00Z' })
  })

  test('stores no Plan and changes nothing outside', async () => {
    const { s } = await open()
    const id = await machine(s, 'web')
    const before = (await s.engine.api.get('/apis/hykube.io/v1alpha1/namespaces/default/plans')).document.items.length
    s.world.edit('sim_instance', id, { size: 'large' })
    await policy(s, 'all', { mode: 'Detect' })
    await checked(s, 'all', { drifted: 1 })
    expect((await s.engine.api.get('/apis/hykube.io/v1alpha1/namespaces/default/plans')).document.items).toHaveLength(
      before,
    )
    expect(s.world.read('sim_instance', id)).toMatchObject({ size: 'large' })
  })

  test('says so when it holds for no object', async () => {
    const { s } = await open()
    await policy(s, 'none', { mode: 'Detect', kinds: ['sim_bucket'] })
    await checked(s, 'none', { resources: 0 })
    expect(await reason(s, 'none')).toBe('NothingSelected')
  })

  test('is not checked while it is suspended', async () => {
    const { s, clock } = await open()
    await machine(s, 'web')
    await policy(s, 'all', { mode: 'Detect', suspend: true })
    await vi.waitFor(async () => expect(await reason(s, 'all')).toBe('Suspended'))
    clock.advance(2 * hour)
    expect((await status(s, 'all')).lastCheck).toBeUndefined()
    const { document } = await s.engine.api.get(`${policies}/all`)
    await s.engine.api.put(`${policies}/all`, { ...document, spec: { ...document.spec, suspend: false } })
    await checked(s, 'all', { resources: 1, observedGeneration: 2 })
  })
})

describe('the status of a policy', () => {
  const settled = { mode: 'Propose', on: ['Edit'] }

  test('has the objects and conflicts also without checks for drift', async () => {
    const { s, clock } = await open()
    await policy(s, 'none', settled)
    await vi.waitFor(async () => expect(await reason(s, 'none')).toBe('NothingSelected'))
    await machine(s, 'web')
    await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(2))
    clock.advance(2 * hour)
    await checked(s, 'none', { resources: 1, drifted: 0 })
    expect([await reason(s, 'none'), await reason(s, 'none', 'Conflict')]).toEqual(['Active', 'NoConflict'])
    await policy(s, 'younger', settled)
    await vi.waitFor(async () => expect(await reason(s, 'younger', 'Conflict')).toBe('OlderPolicy'))
    expect((await status(s, 'younger')).lastCheck).toBeUndefined()
  })

  test('of a ClusterSyncPolicy names the namespace of its Plan, and keeps the Plan that waits', async () => {
    const { s, clock } = await open()
    const others = [await s.within('aaa'), await s.within('zzz')]
    await policy(s, 'all', { mode: 'Reconcile' }, clusterPolicies)
    const bucket = (name: string) => ({ name })
    for (const each of others) await each.write('sim_bucket.b', bucket('old'))
    await settle(clock)
    const applied = async (each: Scenario, name: string) =>
      vi.waitFor(async () => expect((await each.attributes('sim_bucket.b'))?.name).toBe(name), { timeout: 10_000 })
    for (const each of others) await applied(each, 'old')
    await others[0]!.delete('sim_bucket.b')
    await settle(clock)
    const waits = {
      type: 'Waiting',
      status: 'True',
      reason: 'BeyondLimits',
      message: expect.stringMatching(/^namespace aaa: /),
    }
    const wanted = { plan: 'aaa/sync-all-2', conditions: expect.arrayContaining([expect.objectContaining(waits)]) }
    await checked(s, 'all', wanted, clusterPolicies)
    await others[1]!.write('sim_bucket.b', { ...bucket('old'), tags: { a: 'b' } })
    await settle(clock)
    await vi.waitFor(async () => expect((await others[1]!.attributes('sim_bucket.b')).tags).toEqual({ a: 'b' }))
    await settle(clock)
    await checked(s, 'all', wanted, clusterPolicies)
  })
})

describe('a check for drift', () => {
  /** The number of calls that read resources. */
  const reads = (s: Scenario) => s.engine.providers.calls.filter((call) => call.startsWith('readResource ')).length

  test('lists a type once for all its pages', { timeout: 60_000 }, async () => {
    const { s, clock } = await open()
    let listings = 0
    s.engine.providers.alter = ({ list, ...session }) => ({
      ...session,
      batchesReads: () => false,
      ...(list !== undefined && {
        list: (...asked) => {
          listings++
          return list(...asked)
        },
      }),
    })
    for (let index = 0; index < 520; index++) await s.write(`sim_null.n${index}`, { triggers: { index: `${index}` } })
    await s.apply()
    s.engine.providers.calls.length = 0
    await policy(s, 'all', { mode: 'Detect', every: '1h' })
    for (const _ of ['after the first page', 'after the second page']) {
      await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(2), { timeout: 10_000 })
      clock.advance(hour * (250 / 520))
    }
    await vi.waitFor(async () => expect(await reason(s, 'all')).toBe('Checked'), { timeout: 10_000 })
    expect(await status(s, 'all')).toMatchObject({ resources: 520, drifted: 0 })
    expect([reads(s), listings]).toEqual([200, 1])
  })

  test('reads a throttled object again within the interval, with pauses that double', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web')
    s.world.edit('sim_instance', id, { size: 'large' })
    let throttled = 3
    s.engine.providers.intercept = ({ method, request }) => {
      if (method !== 'readResource' || throttled-- <= 0) return undefined
      const diagnostics = [{ severity: 'error', summary: 'Throttling: Rate exceeded' }]
      return Promise.resolve({ newState: request.currentState, private: request.private, diagnostics })
    }
    await policy(s, 'all', { mode: 'Detect', every: '1h' })
    for (const [minutes, left] of [
      [2, 2],
      [4, 1],
      [8, 0],
    ] as const) {
      await vi.waitFor(() => expect(throttled).toBe(left))
      await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(2))
      clock.advance(minutes * 60_000)
    }
    await checked(s, 'all', { resources: 1, drifted: 1, lastCheck: '2026-11-18T12:14:00Z' })
    expect(await reason(s, 'all')).toBe('Checked')
  })

  test('says that an object was not read when its provider throttles too often', async () => {
    const { s, clock } = await open()
    await machine(s, 'web')
    s.engine.providers.intercept = ({ method, request }) => {
      if (method !== 'readResource') return undefined
      const diagnostics = [{ severity: 'error', summary: '429 Too Many Requests' }]
      return Promise.resolve({ newState: request.currentState, private: request.private, diagnostics })
    }
    s.engine.providers.calls.length = 0
    await policy(s, 'all', { mode: 'Detect', every: '1h' })
    for (const minutes of [2, 4, 8, 16]) {
      await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(2))
      clock.advance(minutes * 60_000)
    }
    await vi.waitFor(async () => expect(await reason(s, 'all')).toBe('ReadFailed'))
    expect(reads(s)).toBe(5)
  })
})

describe('precedence', () => {
  test('the older policy holds, and the younger one names the conflict', async () => {
    const { s, clock } = await open()
    await machine(s, 'web')
    await policy(s, 'old', { mode: 'Detect' })
    clock.advance(2000)
    await policy(s, 'new', { mode: 'Detect' })
    await checked(s, 'old', { resources: 1 })
    await checked(s, 'new', { resources: 0 })
    expect(await reason(s, 'new', 'Conflict')).toBe('OlderPolicy')
  })

  test('lifecycle.sync comes before every policy, and a policy of the namespace before one of the cluster', async () => {
    const { s } = await open()
    await machine(s, 'own', { lifecycle: { sync: 'Manual' } })
    await machine(s, 'web')
    await policy(s, 'whole', { mode: 'Detect' }, clusterPolicies)
    await checked(s, 'whole', { resources: 1 }, clusterPolicies)
    await policy(s, 'own', { mode: 'Detect' })
    await checked(s, 'own', { resources: 1 })
  })

  test('lifecycle.sync: Detect needs no policy', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web', { lifecycle: { sync: 'Detect' } })
    s.world.edit('sim_instance', id, { size: 'large' })
    await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(0))
    clock.advance(hour)
    await vi.waitFor(async () => expect(await drift(s, 'sim_instance.web')).toMatchObject({ status: 'True' }))
  })
})

describe('bad input', () => {
  test.each([
    ['no mode', {}, 'spec.mode'],
    ['an unknown mode', { mode: 'Always' }, 'spec.mode'],
    ['a trigger that does not exist', { mode: 'Detect', on: ['Never'] }, 'spec.on[0]'],
    ['an interval below a minute', { mode: 'Detect', every: '5s' }, 'spec.every'],
    [
      'an unknown time zone',
      { mode: 'Detect', windows: [{ cron: '0 2 * * *', for: '1h', timezone: 'X' }] },
      'spec.windows[0].timezone',
    ],
  ])('%s is 422 with its path', async (_, spec, field) => {
    const { s } = await open()
    const { status: code, document } = await s.engine.api.post(policies, { metadata: { name: 'bad' }, spec })
    expect([code, document.details.causes.map((cause: { field: string }) => cause.field)]).toEqual([422, [field]])
  })
})

interface PlanObject {
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> }
  readonly status: { readonly phase: string; readonly message?: string; readonly summary?: Record<string, number> }
}

const plansPath = '/apis/hykube.io/v1alpha1/namespaces/default/plans'

async function plansOf(s: Scenario): Promise<PlanObject[]> {
  const { items } = (await s.engine.api.get(plansPath)).document
  return (items as PlanObject[]).filter(({ metadata }) => metadata.name.startsWith('sync-'))
}

function phases(s: Scenario, wanted: readonly string[]): Promise<void> {
  return vi.waitFor(
    async () =>
      expect((await plansOf(s)).map(({ metadata, status: { phase } }) => `${metadata.name} ${phase}`)).toEqual(wanted),
    { timeout: 10_000 },
  )
}

async function settle(clock: ManualClock): Promise<void> {
  await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(1))
  clock.advance(31_000)
}

describe('a policy with mode Propose', () => {
  test('creates a Plan for edits after they have settled, and keeps it while nothing differs', async () => {
    const { s, clock } = await open()
    await policy(s, 'web', { mode: 'Propose' })
    await checked(s, 'web', { resources: 0 })
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'small' })
    await settle(clock)
    await phases(s, ['sync-web-1 Planned'])
    await checked(s, 'web', { plan: 'sync-web-1' })
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'large' })
    await settle(clock)
    await phases(s, ['sync-web-1 Stale', 'sync-web-2 Planned'])
    expect((await plansOf(s))[0]!.status.message).toMatch(/^Superseded/)
  })

  test('proposes to repair drift, and not again what was rejected', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web')
    s.world.edit('sim_instance', id, { size: 'large' })
    await policy(s, 'web', { mode: 'Propose' })
    await phases(s, ['sync-web-1 Planned'])
    const path = '/apis/hykube.io/v1alpha1/namespaces/default/plans/sync-web-1/approval'
    await s.engine.api.put(path, { decision: 'Rejected', message: 'keep it' })
    await phases(s, ['sync-web-1 Rejected'])
    clock.advance(hour)
    await checked(s, 'web', { lastCheck: '2026-11-18T13:00:00Z', drifted: 1 })
    await settle(clock)
    s.world.edit('sim_instance', id, { size: 'huge' })
    clock.advance(hour)
    await phases(s, ['sync-web-1 Rejected', 'sync-web-2 Planned'])
  })
})

describe('a policy with mode Reconcile', () => {
  const untilSize = (s: Scenario, id: string, size: string) =>
    vi.waitFor(() => expect(s.world.read('sim_instance', id)).toMatchObject({ size }), { timeout: 10_000 })

  test('applies edits and repairs drift', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web')
    await policy(s, 'web', { mode: 'Reconcile' })
    await checked(s, 'web', { resources: 1 })
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'large' })
    await settle(clock)
    await untilSize(s, id, 'large')
    await phases(s, ['sync-web-1 Applied'])
    s.world.edit('sim_instance', id, { size: 'tiny' })
    clock.advance(hour)
    await untilSize(s, id, 'large')
  })

  test('proposes a Plan beyond its limits', async () => {
    const { s, clock } = await open()
    await machine(s, 'web')
    await policy(s, 'web', { mode: 'Reconcile' })
    await checked(s, 'web', { resources: 1 })
    await s.delete('sim_instance.web')
    await settle(clock)
    await phases(s, ['sync-web-1 Planned'])
    await vi.waitFor(async () => expect(await reason(s, 'web', 'Waiting')).toBe('BeyondLimits'))
  })

  test('waits for its window', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web')
    s.world.edit('sim_instance', id, { size: 'large' })
    await policy(s, 'web', { mode: 'Reconcile', windows: [{ cron: '0 14 * * *', for: '1h' }] })
    await phases(s, ['sync-web-1 Planned'])
    await vi.waitFor(async () => expect(await reason(s, 'web', 'Waiting')).toBe('WindowClosed'))
    clock.advance(2 * hour)
    await untilSize(s, id, 'small')
  })

  test('leaves alone what a Destroy plan destroyed, until it is written again', async () => {
    const { s, clock } = await open()
    await machine(s, 'web')
    await policy(s, 'web', { mode: 'Reconcile' })
    await checked(s, 'web', { resources: 1 })
    await s.apply({ mode: 'Destroy' })
    await settle(clock)
    await phases(s, [])
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'large' })
    await settle(clock)
    await phases(s, ['sync-web-1 Applied'])
  })
})

describe('the limits of a policy with mode Reconcile', () => {
  const spec = (size: string, image = 'i') => ({ subnet_id: 's', image, size })
  const waiting = async (s: Scenario) =>
    (await status(s, 'web')).conditions?.find(({ type, status: is }) => type === 'Waiting' && is === 'True')?.message

  test('hold back a Plan of too many changes, and apply one at the limit', async () => {
    const { s, clock } = await open()
    await policy(s, 'web', { mode: 'Reconcile', limits: { changes: 2 } })
    for (const name of ['a', 'b', 'c']) await s.write(`sim_instance.${name}`, spec('small'))
    await settle(clock)
    await vi.waitFor(async () => expect(await waiting(s)).toContain('3 changes, limit 2'))
    await phases(s, ['sync-web-1 Planned'])
    await s.delete('sim_instance.c')
    await settle(clock)
    await phases(s, ['sync-web-1 Stale', 'sync-web-2 Applied'])
  })

  test('hold back replacements unless they are allowed', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web')
    await policy(s, 'web', { mode: 'Reconcile' })
    await s.write('sim_instance.web', spec('small', 'other'))
    await settle(clock)
    await vi.waitFor(async () => expect(await waiting(s)).toContain('1 replaces, limit 0'))
    expect(s.world.read('sim_instance', id)).toBeDefined()
    await patch(s, 'web', { spec: { limits: { replaces: 1 } } })
    await phases(s, ['sync-web-1 Applied'])
    expect((await s.attributes('sim_instance.web')).image).toBe('other')
  })

  test('space the changes of a Plan by perMinute', async () => {
    const { s, clock } = await open()
    for (const name of ['a', 'b']) await s.write(`sim_instance.${name}`, spec('small'))
    const begun = () => s.engine.providers.calls.filter((call) => call.startsWith('applyResourceChange')).length
    s.engine.providers.calls.length = 0
    await policy(s, 'web', { mode: 'Reconcile', limits: { perMinute: 1 } })
    await vi.waitFor(() => expect(begun()).toBe(1))
    await phases(s, ['sync-web-1 Applying'])
    clock.advance(59_000)
    await phases(s, ['sync-web-1 Applying'])
    expect(begun()).toBe(1)
    clock.advance(1000)
    await phases(s, ['sync-web-1 Applied'])
  })

  test('do not allow what prevent_destroy holds', async () => {
    const { s, clock } = await open()
    const lifecycle = { prevent_destroy: true }
    const id = await machine(s, 'web', { lifecycle })
    await policy(s, 'web', { mode: 'Reconcile', limits: { replaces: 1, deletes: 1 } })
    await checked(s, 'web', { resources: 1 })
    await s.write('sim_instance.web', { ...spec('small', 'other'), lifecycle })
    await settle(clock)
    await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(2))
    clock.advance(hour)
    await checked(s, 'web', { lastCheck: '2026-11-18T13:00:31Z' })
    await phases(s, [])
    expect(s.world.read('sim_instance', id)).toMatchObject({ image: 'i' })
  })
})

test.each([
  [0, '2026-11-18T12:57:00Z'],
  [0.999999, '2026-11-18T13:02:59Z'],
])('the next check is within a tenth around the interval: random %d', async (random, nextCheck) => {
  const clock = new ManualClock(Date.parse('2026-11-18T12:00:00Z'))
  const s = await shared.scenario({ clock, random: () => random })
  await machine(s, 'web')
  await policy(s, 'web', { mode: 'Detect', every: '1h' })
  await checked(s, 'web', { resources: 1, nextCheck })
})

test('a ClusterSyncPolicy with mode Propose makes one Plan in each namespace that it selects', async () => {
  const { s, clock } = await open()
  const [one, two] = [await s.within('one'), await s.within('two')]
  const namespaceSelector = {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['one', 'two'] }],
  }
  await policy(s, 'all', { mode: 'Propose', namespaceSelector }, clusterPolicies)
  for (const each of [s, one, two]) await each.write('sim_bucket.b', { name: 'b' })
  await settle(clock)
  await vi.waitFor(async () => {
    const { items } = (await s.engine.api.get('/apis/hykube.io/v1alpha1/plans')).document
    const found = (items as (PlanObject & { metadata: { namespace: string } })[]).map(
      ({ metadata, status: { phase } }) => `${metadata.namespace}/${metadata.name} ${phase}`,
    )
    expect(found.sort()).toEqual(['one/sync-all-1 Planned', 'two/sync-all-1 Planned'])
  })
})

test('checks and Plans are counted, and a proposed Plan has an Event', async () => {
  const { s, clock } = await open()
  const id = await machine(s, 'web')
  s.world.edit('sim_instance', id, { size: 'large' })
  await policy(s, 'web', { mode: 'Propose' })
  await phases(s, ['sync-web-1 Planned'])
  await vi.waitFor(async () => expect(await eventReasons(s, 'sync-web-1')).toContain('Proposed'))
  await checked(s, 'web', { drifted: 1 })
  await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'medium' })
  await settle(clock)
  await phases(s, ['sync-web-1 Stale', 'sync-web-2 Planned'])
  await vi.waitFor(() =>
    expect(s.engine.syncMetrics.lines.filter((line) => !line.startsWith('#'))).toEqual([
      'hykube_sync_checks_total{result="completed"} 1',
      'hykube_sync_checks_total{result="failed"} 0',
      'hykube_sync_drifted_resources 1',
      'hykube_sync_proposals_total{outcome="proposed"} 2',
      'hykube_sync_proposals_total{outcome="approved"} 0',
      'hykube_sync_proposals_total{outcome="superseded"} 1',
      'hykube_sync_proposals_total{outcome="forbidden"} 0',
      'hykube_sync_proposals_total{outcome="failed"} 0',
    ]),
  )
})

describe('the triggers of a policy', () => {
  const spec = (size: string) => ({ subnet_id: 's', image: 'i', size })
  const sizeOf = (s: Scenario, id: string) => (s.world.read('sim_instance', id) as { size: string }).size

  /** An edited, a drifted and an edited and drifted object, whose drift is known. */
  async function threeObjects(s: Scenario): Promise<Record<'edited' | 'drifted' | 'both', string>> {
    const [edited, drifted, both] = [await machine(s, 'edited'), await machine(s, 'drifted'), await machine(s, 'both')]
    for (const id of [drifted, both]) s.world.edit('sim_instance', id, { size: 'tiny' })
    await s.plan({ mode: 'RefreshOnly' })
    for (const name of ['edited', 'both']) await s.write(`sim_instance.${name}`, spec('large'))
    return { edited, drifted, both }
  }

  test('on: [Drift] repairs drift and applies no edit, also one that waits or is written later', async () => {
    const { s, clock } = await open()
    const { edited, drifted, both } = await threeObjects(s)
    await policy(s, 'web', { mode: 'Reconcile', on: ['Drift'] })
    await phases(s, ['sync-web-1 Applied'])
    expect([edited, drifted, both].map((id) => sizeOf(s, id))).toEqual(['small', 'small', 'tiny'])
    await s.write('sim_instance.drifted', spec('medium'))
    await s.delete('sim_instance.edited')
    clock.advance(hour)
    await checked(s, 'web', { lastCheck: '2026-11-18T13:00:00Z' })
    await settle(clock)
    await phases(s, ['sync-web-1 Applied'])
    expect([edited, drifted, both].map((id) => sizeOf(s, id))).toEqual(['small', 'small', 'tiny'])
  })

  test('on: [Edit] applies edits and repairs no known drift', async () => {
    const { s, clock } = await open()
    const { edited, drifted, both } = await threeObjects(s)
    await policy(s, 'web', { mode: 'Reconcile', on: ['Edit'] })
    await phases(s, ['sync-web-1 Applied'])
    expect([edited, drifted, both].map((id) => sizeOf(s, id))).toEqual(['large', 'tiny', 'large'])
    await s.write('sim_instance.drifted', spec('medium'))
    await settle(clock)
    await phases(s, ['sync-web-1 Applied', 'sync-web-2 Applied'])
    expect(sizeOf(s, drifted)).toBe('medium')
  })
})

describe('an apply of a policy that may go on no longer', () => {
  const windows = [{ cron: '0 12 * * *', for: '1h' }]

  /** Two objects of which the second waits for the first, whose change is held back in the provider. */
  async function beginApply(spec: Spec = {}) {
    const { s, clock } = await open()
    const held = holding(s, (call) => call === '+ sim_network')
    onTestFinished(() => held.go())
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_subnet.a', { network_id: '${sim_network.n.id}', cidr: '10.0.1.0/24' })
    await policy(s, 'web', { mode: 'Reconcile', windows, ...spec })
    await held.waits
    return { s, clock, held }
  }

  /** Waits until the Plan is asked to stop, lets the first change end, and expects that the second did not begin. */
  async function expectStopped(s: Scenario, held: ReturnType<typeof holding>): Promise<void> {
    await vi.waitFor(async () => expect(await eventReasons(s, 'sync-web-1')).toContain('Stopped'))
    held.go()
    await vi.waitFor(async () => expect((await plansOf(s))[0]?.status.phase).toBe('Canceled'))
    expect(await s.attributes('sim_network.n')).toBeDefined()
    expect(await s.attributes('sim_subnet.a')).toBeUndefined()
  }

  test('starts no change after the end of its window, and continues in the next one', async () => {
    const { s, clock, held } = await beginApply()
    clock.advance(hour)
    await expectStopped(s, held)
    await settle(clock)
    await phases(s, ['sync-web-1 Canceled', 'sync-web-2 Planned'])
    await vi.waitFor(async () => expect(await reason(s, 'web', 'Waiting')).toBe('WindowClosed'))
    clock.advance(23 * hour)
    await phases(s, ['sync-web-1 Canceled', 'sync-web-2 Applied'])
    expect(await s.attributes('sim_subnet.a')).toBeDefined()
  })

  test.each<[string, (s: Scenario) => Promise<unknown>]>([
    ['is suspended', (s) => patch(s, 'web', { spec: { suspend: true } })],
    ['is deleted', (s) => s.engine.api.delete(`${policies}/web`)],
    ['gets another mode', (s) => patch(s, 'web', { spec: { mode: 'Detect' } })],
    ['gets windows that are closed', (s) => patch(s, 'web', { spec: { windows: [{ cron: '0 2 * * *', for: '1h' }] } })],
  ])('stops when the policy %s', async (_, change) => {
    const { s, held } = await beginApply()
    await change(s)
    await expectStopped(s, held)
  })

  test('goes on when the policy gets a longer window', async () => {
    const { s, clock, held } = await beginApply()
    await patch(s, 'web', { spec: { windows: [{ cron: '0 12 * * *', for: '3h' }] } })
    clock.advance(hour)
    held.go()
    await vi.waitFor(async () => expect((await plansOf(s))[0]?.status.phase).toBe('Applied'))
  })

  test('does not stop a Plan that a user approved', async () => {
    const { s, clock, held } = await beginApply()
    clock.advance(hour)
    await expectStopped(s, held)
    await settle(clock)
    await phases(s, ['sync-web-1 Canceled', 'sync-web-2 Planned'])
    await s.engine.api.put(`${plansPath}/sync-web-2/approval`, { decision: 'Approved' })
    await phases(s, ['sync-web-1 Canceled', 'sync-web-2 Applied'])
  })
})

test('the newest 20 Plans of a policy are kept', { timeout: 60_000 }, async () => {
  const { s, clock } = await open()
  const id = await machine(s, 'web')
  await policy(s, 'web', { mode: 'Reconcile', on: ['Edit'] })
  for (let round = 1; round <= 22; round++) {
    const size = round % 2 === 0 ? 'small' : 'large'
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size })
    clock.advance(31_000)
    await vi.waitFor(() => expect(s.world.read('sim_instance', id)).toMatchObject({ size }), { timeout: 10_000 })
    await vi.waitFor(async () => expect((await plansOf(s)).every((plan) => plan.status.phase === 'Applied')).toBe(true))
  }
  const names = (await plansOf(s)).map(({ metadata }) => Number(metadata.name.split('-').at(-1)))
  expect(names.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 3))
})

describe('the acting user', () => {
  const only = (
    allowed: (asked: { verb: string; resource?: string; subresource?: string }) => boolean,
  ): Authorizer => ({
    ...alwaysAllow,
    authorize: (attributes) => ({ allowed: allowed(attributes as never), reason: '' }),
  })

  test('writing a Reconcile policy needs the permission to approve plans', async () => {
    const s = await shared.scenario({ authorizer: only(({ subresource }) => subresource !== 'approval') })
    const answer = await s.engine.api.post(policies, { metadata: { name: 'web' }, spec: { mode: 'Reconcile' } })
    expect([answer.status, answer.document.message]).toEqual([403, expect.stringContaining('plans/approval')])
    expect((await s.engine.api.post(policies, { metadata: { name: 'web' }, spec: { mode: 'Propose' } })).status).toBe(
      201,
    )
  })

  test('naming a ServiceAccount needs impersonate on it', async () => {
    const s = await shared.scenario({ authorizer: only(({ verb }) => verb !== 'impersonate') })
    const spec = { mode: 'Propose', serviceAccountName: 'robot' }
    expect((await s.engine.api.post(policies, { metadata: { name: 'web' }, spec })).status).toBe(403)
  })

  test('an actor who lost the permission to create plans proposes nothing', async () => {
    let isAllowed = true
    const clock = new ManualClock(Date.parse('2026-11-18T12:00:00Z'))
    const authorizer = only(({ verb, resource }) => isAllowed || verb !== 'create' || resource !== 'plans')
    const s = await shared.scenario({ clock, authorizer })
    await policy(s, 'web', { mode: 'Propose' })
    await checked(s, 'web', { resources: 0 })
    isAllowed = false
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'small' })
    await settle(clock)
    await vi.waitFor(async () => expect(await reason(s, 'web', 'Waiting')).toBe('ActorForbidden'))
    expect(await plansOf(s)).toEqual([])
  })

  test('an actor who lost the permission to approve applies nothing until it returns', async () => {
    let isAllowed = true
    const clock = new ManualClock(Date.parse('2026-11-18T12:00:00Z'))
    const isApproval = ({ verb, subresource }: { verb: string; subresource?: string }) =>
      verb === 'update' && subresource === 'approval'
    const s = await shared.scenario({ clock, authorizer: only((asked) => isAllowed || !isApproval(asked)) })
    const id = await machine(s, 'web')
    await policy(s, 'web', { mode: 'Reconcile' })
    await checked(s, 'web', { resources: 1 })
    isAllowed = false
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'large' })
    await settle(clock)
    await vi.waitFor(async () => expect(await reason(s, 'web', 'Waiting')).toBe('ActorForbidden'))
    await phases(s, ['sync-web-1 Planned'])
    await settle(clock)
    expect(s.world.read('sim_instance', id)).toMatchObject({ size: 'small' })
    isAllowed = true
    await settle(clock)
    await vi.waitFor(async () => {
      clock.advance(30_000)
      expect(await plansOf(s)).toMatchObject([{ status: { phase: 'Applied' } }])
    })
    await vi.waitFor(async () => expect(await reason(s, 'web', 'Waiting')).toBe('NotWaiting'))
    expect(s.world.read('sim_instance', id)).toMatchObject({ size: 'large' })
  })

  test('with a second approver demanded, Reconcile proposes', async () => {
    const clock = new ManualClock(Date.parse('2026-11-18T12:00:00Z'))
    const s = await shared.scenario({ clock, requireSecondApprover: true })
    await policy(s, 'web', { mode: 'Reconcile' })
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'small' })
    await settle(clock)
    await phases(s, ['sync-web-1 Planned'])
    await vi.waitFor(async () => expect(await reason(s, 'web', 'Waiting')).toBe('SecondApprover'))
  })

  test('the last writer of the spec acts, and not one who writes a label', async () => {
    const { s, clock } = await open()
    const authors = async () => (await plansOf(s)).map(({ metadata }) => metadata.annotations?.['hykube.io/author'])
    await policy(s, 'web', { mode: 'Propose' })
    await patch(s, 'web', { spec: { every: '2h' } }, 'alice')
    await patch(s, 'web', { metadata: { labels: { a: 'b' } } }, 'carol')
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'small' })
    await settle(clock)
    await phases(s, ['sync-web-1 Planned'])
    await patch(s, 'web', { spec: { every: '3h' } }, 'bob')
    await s.write('sim_instance.web', { subnet_id: 's', image: 'i', size: 'large' })
    await settle(clock)
    await phases(s, ['sync-web-1 Stale', 'sync-web-2 Planned'])
    expect(await authors()).toEqual(['alice', 'bob'])
  })

  test('a Plan of a user can not pass for one of a policy', async () => {
    const { s } = await open()
    const annotations = { 'hykube.io/sync-policy-uid': 'x', 'hykube.io/changes-digest': 'y', own: 'kept' }
    const path = '/apis/hykube.io/v1alpha1/namespaces/default/plans'
    const { document } = await s.engine.api.post(path, { metadata: { name: 'sync-web-9', annotations }, spec: {} })
    expect(Object.keys(document.metadata.annotations).sort()).toEqual([
      'hykube.io/author',
      'hykube.io/author-identity',
      'own',
    ])
  })
})

describe('a resource that can not be reconciled', () => {
  const times = (count: number) => Array.from({ length: count }, (_, index) => index)

  test('is retried with growing pauses, and is stalled after five failures in a row', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web')
    failing(s, (call) => call === '~ sim_instance')
    s.world.edit('sim_instance', id, { size: 'large' })
    await policy(s, 'web', { mode: 'Reconcile', every: '1000h' })
    for (const failure of times(5)) {
      await phases(
        s,
        times(failure + 1).map((each) => `sync-web-${each + 1} Failed`),
      )
      await settle(clock)
      clock.advance(30_000 * 2 ** failure)
    }
    await vi.waitFor(async () => {
      const { conditions } = (await s.read('sim_instance.web')).status as { conditions: Condition[] }
      expect(conditions.find(({ type }) => type === 'Stalled')).toMatchObject({ status: 'True', reason: 'SyncFailed' })
    })
    expect(await plansOf(s)).toHaveLength(5)
  })

  test('is stalled when another system undoes five repairs in a row', async () => {
    const { s, clock } = await open()
    const id = await machine(s, 'web')
    await policy(s, 'web', { mode: 'Reconcile' })
    for (const repair of times(5)) {
      s.world.edit('sim_instance', id, { size: 'large' })
      clock.advance(hour)
      await phases(
        s,
        times(repair + 1).map((each) => `sync-web-${each + 1} Applied`),
      )
      await checked(s, 'web', {})
    }
    s.world.edit('sim_instance', id, { size: 'large' })
    clock.advance(hour)
    await vi.waitFor(async () => {
      const { conditions } = (await s.read('sim_instance.web')).status as { conditions: Condition[] }
      expect(conditions.find(({ type }) => type === 'Stalled')).toMatchObject({ status: 'True', reason: 'Flapping' })
    })
    expect(await plansOf(s)).toHaveLength(5)
  })
})

test('a stored policy that is no longer valid says so, and does not keep others from acting', async () => {
  const { s } = await open()
  await machine(s, 'web')
  const object = {
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'SyncPolicy',
    metadata: {
      name: 'old',
      namespace: 'default',
      uid: 'old',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { mode: 'Detect', windows: [{ cron: '0 2 * * *', for: '1h', timezone: 'Gone/Zone' }] },
  }
  const place = { cluster: 'root', namespace: 'default', name: 'old' }
  const resource = { group: 'hykube.io', resource: 'syncpolicies' }
  await s.engine.parts.objects.change([{ resource, place, before: undefined, after: object }])
  await policy(s, 'web', { mode: 'Detect' })
  await checked(s, 'web', { resources: 1 })
  await vi.waitFor(async () => expect(await reason(s, 'old')).toBe('InvalidSpec'))
})
