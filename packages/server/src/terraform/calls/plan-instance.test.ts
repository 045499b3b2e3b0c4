import { type PlanResourceChangeRequest, ProviderAnswerError } from '@hykube/tfplugin/protocol'
import { unknown, type Value, valueObject } from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import { defaultLifecycle } from '../../model/index.ts'
import { fakeProvider, plan } from '../testing/fake-provider.ts'
import { at, planInput, stateOf, thing } from '../testing/instances.ts'
import { objectOf } from '../testing/schemas.ts'
import { judgePlan, judgeReplacement } from './judge-plan.ts'
import { planInstance } from './plan-instance.ts'
import { type PlanInput, planRequestFor } from './plan-request.ts'
import type { PlannedChange } from './planned-instance.ts'

const config = objectOf(thing, { name: 'a', image: 'x' })
const made = objectOf(thing, { name: 'a', image: 'x', id: '1', zone: 'z' })
const prior = stateOf(made)

/** Plans what is proposed, with an id that is not known yet when it creates. */
const honest = fakeProvider({
  planResourceChange: ({ priorState, proposedNewState }) => {
    const open = priorState === null ? { id: unknown, zone: unknown } : {}
    const planned = valueObject({ ...(proposedNewState as object), ...open, secret: null })
    return plan({ plannedState: planned, plannedPrivate: Uint8Array.of(7), requiresReplace: [at('image')] })
  },
})

async function planned(given: Partial<PlanInput>, provider = honest): Promise<PlannedChange> {
  const result = await planInstance(planInput({ config, ...given }), provider)
  if (result.kind !== 'planned') throw new Error(JSON.stringify(result))
  return result
}

const changed = (its: Readonly<Record<string, Value>>) => objectOf(thing, { name: 'a', image: 'x', ...its })
const lifecycle = (wishes: Partial<PlanInput['lifecycle']>) => ({ ...defaultLifecycle, ...wishes })

test.each<[string, Partial<PlanInput>, string, string | undefined]>([
  ['without an object', {}, 'create', undefined],
  ['with the same object', { prior }, 'noop', undefined],
  ['with another name', { prior, config: changed({ name: 'b' }) }, 'update', undefined],
  [
    'with another image',
    { prior, config: changed({ image: 'y' }) },
    'delete-then-create',
    'replace_because_cannot_update',
  ],
  [
    'with another image, created first',
    { prior, config: changed({ image: 'y' }), lifecycle: lifecycle({ createBeforeDestroy: true }) },
    'create-then-delete',
    'replace_because_cannot_update',
  ],
  [
    'with another image, and nothing to be destroyed',
    { prior, config: changed({ image: 'y' }), lifecycle: lifecycle({ destroy: false, preventDestroy: true }) },
    'forget-then-create',
    'replace_because_cannot_update',
  ],
  ['tainted', { prior: stateOf(made, { status: 'tainted' }) }, 'delete-then-create', 'replace_because_tainted'],
  ['by request', { prior, forceReplace: 'request' }, 'delete-then-create', 'replace_by_request'],
  ['by triggers', { prior, forceReplace: 'triggers' }, 'delete-then-create', 'replace_by_triggers'],
  ['by triggers, without an object', { forceReplace: 'triggers' }, 'create', 'replace_by_triggers'],
  ['by request, without an object', { forceReplace: 'request' }, 'create', undefined],
  [
    'with an image that is not known yet',
    { prior, config: changed({ image: unknown }) },
    'delete-then-create',
    'replace_because_cannot_update',
  ],
  [
    'with a change that is ignored',
    { prior, config: changed({ image: 'y' }), lifecycle: lifecycle({ ignoreChanges: [at('image')] }) },
    'noop',
    undefined,
  ],
  [
    'with all changes ignored',
    { prior, config: changed({ name: 'b', image: 'y' }), lifecycle: lifecycle({ ignoreChanges: 'all' }) },
    'noop',
    undefined,
  ],
  ['with a name that is now sensitive', { prior, configSensitive: [at('name')] }, 'update', undefined],
  [
    'with a name that was sensitive already',
    { prior: stateOf(made, { sensitivePaths: [at('name')] }), configSensitive: [at('name')] },
    'noop',
    undefined,
  ],
])('%s: %#', async (_, given, action, reason) => {
  const change = await planned(given)
  expect(change.action).toBe(action)
  expect(change.reason).toBe(reason)
})

test('a new object has unknowns, the private bytes of the plan and no state before it', async () => {
  expect(await planned({})).toMatchObject({
    before: null,
    after: objectOf(thing, { name: 'a', image: 'x', id: unknown, zone: unknown }),
    plannedPrivate: Uint8Array.of(7),
    requiredReplace: [],
    diagnostics: [],
    notes: [],
  })
})

test('a replacement is planned a second time as if there had been nothing, with nothing ignored', async () => {
  const provider = fakeProvider({
    planResourceChange: ({ priorState, proposedNewState }) =>
      plan({
        plannedState: proposedNewState,
        plannedPrivate: Uint8Array.of(priorState === null ? 2 : 9),
        requiresReplace: [at('image')],
        diagnostics: [{ severity: 'warning', summary: 'Careful' }],
      }),
  })
  const given = {
    prior,
    config: changed({ name: 'b', image: 'y' }),
    lifecycle: lifecycle({ ignoreChanges: [at('name')] }),
  }
  const change = await planned(given, provider)
  const [first, second] = provider.calls.filter(({ rpc }) => rpc === 'planResourceChange').map(({ request }) => request)
  expect(first).toMatchObject({
    priorState: made,
    config: changed({ name: 'a', image: 'y' }),
    priorPrivate: Uint8Array.of(1),
  })
  expect(second).toMatchObject({ priorState: null, config: given.config, priorPrivate: Uint8Array.of(9) })
  expect(second).not.toHaveProperty('priorIdentity')
  expect(change).toMatchObject({
    before: made,
    after: objectOf(thing, { name: 'b', image: 'y' }),
    plannedPrivate: Uint8Array.of(2),
    requiredReplace: [at('image')],
  })
  expect(change.diagnostics).toHaveLength(1)
})

test('a tainted object is not shown to the provider, and is what was before', async () => {
  const provider = fakeProvider()
  const change = await planned({ prior: stateOf(made, { status: 'tainted' }) }, provider)
  expect(provider.calls.at(-1)!.request).toMatchObject({ priorState: null })
  expect(provider.calls.filter(({ rpc }) => rpc === 'planResourceChange')).toHaveLength(1)
  expect(change.before).toBe(made)
})

test('a write-only attribute that forces replacement does so although nobody knows its old value', async () => {
  const provider = fakeProvider({
    planResourceChange: ({ proposedNewState }) =>
      plan({
        plannedState: valueObject({ ...(proposedNewState as object), secret: null }),
        requiresReplace: [at('secret')],
      }),
  })
  const change = await planned({ prior, config: changed({ secret: 'new' }) }, provider)
  expect(change).toMatchObject({ action: 'delete-then-create', requiredReplace: [at('secret')] })
})

test('warnings of validation go with the plan', async () => {
  const provider = fakeProvider({
    validateResourceConfig: () => ({ diagnostics: [{ severity: 'warning', summary: 'Old' }] }),
  })
  expect((await planned({}, provider)).diagnostics).toEqual([
    { severity: 'warning', summary: 'Old', address: 'sim_thing.a' },
  ])
})

describe('an old type system', () => {
  const legacy = (its: Readonly<Record<string, Value>>) =>
    fakeProvider({
      planResourceChange: ({ proposedNewState }) =>
        plan({ legacyTypeSystem: true, plannedState: valueObject({ ...(proposedNewState as object), ...its }) }),
    })

  test('may plan what is not configured, which is noted', async () => {
    const change = await planned({ prior }, legacy({ name: 'hash of a' }))
    expect(change).toMatchObject({ action: 'update', after: { name: 'hash of a' }, diagnostics: [] })
    expect(change.notes).toHaveLength(1)
    expect(change.notes[0]).toContain('sim_thing.a')
  })

  test('can not change what is ignored', async () => {
    const ignoring = { prior, lifecycle: lifecycle({ ignoreChanges: [at('name')] }) }
    expect(await planned(ignoring, legacy({ name: 'hash of a' }))).toMatchObject({
      action: 'noop',
      after: { name: 'a' },
    })
    const all = { prior, lifecycle: lifecycle({ ignoreChanges: 'all' }) }
    expect(await planned(all, legacy({ id: '2' }))).toMatchObject({ action: 'noop', after: made })
  })
})

describe('refused', () => {
  const error = (summary: string) => ({ diagnostics: [{ severity: 'error' as const, summary }] })

  test.each<[string, Partial<PlanInput>, ReturnType<typeof fakeProvider>, string]>([
    ['an invalid configuration', {}, fakeProvider({ validateResourceConfig: () => error('Bad name') }), 'Bad name'],
    ['what the provider can not plan', {}, fakeProvider({ planResourceChange: () => error('No quota') }), 'No quota'],
    [
      'a plan against the configuration',
      {},
      fakeProvider({ planResourceChange: () => plan({ plannedState: changed({ name: 'b' }) }) }),
      'Provider produced invalid plan',
    ],
    [
      'no plan',
      {},
      fakeProvider({ planResourceChange: () => plan({ plannedState: null }) }),
      'Provider produced invalid plan',
    ],
    [
      'a write-only value that is planned',
      { config: changed({ secret: 's' }) },
      fakeProvider(),
      'Provider produced invalid plan',
    ],
    [
      'a replacement because of something that is not there',
      { prior },
      fakeProvider({ planResourceChange: () => ({ requiresReplace: [at('nothing')] }) }),
      'Provider produced invalid plan',
    ],
    [
      'a replacement of what must not be destroyed',
      { prior, config: changed({ image: 'y' }), lifecycle: lifecycle({ preventDestroy: true }) },
      honest,
      'Instance cannot be destroyed',
    ],
    [
      'waiting that was not allowed',
      {},
      fakeProvider({ planResourceChange: () => ({ deferred: 'resource-config-unknown' }) }),
      'Provider deferred changes',
    ],
  ])('%s', async (_, given, provider, summary) => {
    const result = await planInstance(planInput({ config, ...given }), provider)
    expect(result).toMatchObject({
      kind: 'failed',
      diagnostics: [{ severity: 'error', summary, address: 'sim_thing.a' }],
    })
  })

  test('an answer that does not fit the schema', async () => {
    const provider = fakeProvider({
      planResourceChange: () => {
        throw new ProviderAnswerError('PlanResourceChange', 'sim_thing', new Error('name: a string is required'))
      },
    })
    const result = await planInstance(planInput({ config }), provider)
    expect(result).toMatchObject({ kind: 'failed', diagnostics: [{ summary: 'Provider produced invalid plan' }] })
  })
})

test('throws a call that could not be made', async () => {
  const lost = new Error('connection lost')
  const provider = fakeProvider({
    planResourceChange: () => {
      throw lost
    },
  })
  await expect(planInstance(planInput({ config }), provider)).rejects.toBe(lost)
})

test('a provider may put it off when it was told so', async () => {
  const provider = fakeProvider({ planResourceChange: () => ({ deferred: 'absent-prerequisite' }) })
  const result = await planInstance(planInput({ config, deferralAllowed: true }), provider)
  expect(result).toMatchObject({ kind: 'deferred', reason: 'absent-prerequisite' })
  expect(provider.calls.at(-1)!.request).toMatchObject({ clientCapabilities: { deferralAllowed: true } })
})

test('diagnostics of a provider never hold a secret that it was given', async () => {
  const secret = 'correct horse'
  const telling = (text: string) => ({
    diagnostics: [{ severity: 'error' as const, summary: 'Bad', detail: `not ${text}` }],
  })
  const cases: [Partial<PlanInput>, ReturnType<typeof fakeProvider>][] = [
    [{ config: changed({ secret }) }, fakeProvider({ validateResourceConfig: () => telling(secret) })],
    [{ config: changed({ secret }) }, fakeProvider({ planResourceChange: () => telling(secret) })],
    [
      { config: changed({ name: secret }), configSensitive: [at('name')] },
      fakeProvider({ planResourceChange: () => telling(encodeURIComponent(secret)) }),
    ],
    [
      { prior: stateOf(objectOf(thing, { name: secret }), { sensitivePaths: [at('name')] }) },
      fakeProvider({ planResourceChange: () => telling(JSON.stringify(secret)) }),
    ],
  ]
  for (const [given, provider] of cases) {
    const result = await planInstance(planInput({ config, ...given }), provider)
    expect(result).toMatchObject({
      kind: 'failed',
      diagnostics: [{ detail: expect.stringContaining('(sensitive value)') }],
    })
  }
})

test('many are planned with one call for all, and one more for those that are replaced', async () => {
  const inputs = [
    {},
    { prior },
    { prior, config: changed({ name: 'b' }) },
    { prior, config: changed({ image: 'y' }) },
  ].map((given) => planInput({ config, ...given }))
  const planMany = (requests: readonly PlanResourceChangeRequest[]) =>
    Promise.all(requests.map((request) => honest.planResourceChange(request)))
  const requests = inputs.map(planRequestFor)
  const answers = await planMany(requests)
  const verdicts = inputs.map((input, i) => judgePlan(input, requests[i]!, answers[i]!))
  const replaced = verdicts.filter((verdict) => verdict.kind === 'replacement')
  const further = await planMany(replaced.map(({ request }) => request))
  const results = verdicts.map((verdict, i) =>
    verdict.kind === 'replacement'
      ? judgeReplacement(inputs[i]!, verdict, further[replaced.indexOf(verdict)]!)
      : verdict,
  )
  expect(results).toEqual(await Promise.all(inputs.map((input) => planInstance(input, honest))))
})
