import { ManualClock } from '@hykube/machinery/base'
import type { Condition } from '@hykube/machinery/object'
import type { SyncPolicyStatus } from '@hykube/machinery/sync-api'
import { type Authorizer, alwaysAllow } from '@hykube/server/auth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { failing } from './faults.ts'
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
    await checked(s, 'all', { drifted: 0 })
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
  readonly metadata: { readonly name: string }
  readonly status: { readonly phase: string; readonly message?: string; readonly summary?: Record<string, number> }
}

async function plansOf(s: Scenario): Promise<PlanObject[]> {
  const { items } = (await s.engine.api.get('/apis/hykube.io/v1alpha1/namespaces/default/plans')).document
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

test('a stored policy that is no longer valid does not keep others from acting', async () => {
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
})
