import { ProviderAnswerError } from '@hykube/tfplugin/protocol'
import { Unknown, unknown, type Value, valueObject } from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import { defaultLifecycle, type InstanceState } from '../../model/index.ts'
import { applyInstance } from '../testing/apply-instance.ts'
import { applied, fakeProvider, plan } from '../testing/fake-provider.ts'
import { at, instanceOf, planInput, stateOf, thing } from '../testing/instances.ts'
import { objectOf } from '../testing/schemas.ts'
import { type ApplyInput, type FinalCall, finalPlan } from './final-plan.ts'
import { planInstance } from './plan-instance.ts'
import type { PlanInput } from './plan-request.ts'
import type { PlannedChange } from './planned-instance.ts'

const config = objectOf(thing, { name: 'a', image: 'x' })
const made = objectOf(thing, { name: 'a', image: 'x', id: '1', zone: 'z' })
const renamed = objectOf(thing, { name: 'b', image: 'x' })
const prior = stateOf(made)
const open = { id: unknown, zone: unknown, secret: null }

type Answers = NonNullable<Parameters<typeof fakeProvider>[0]>

/** Creates with an id that comes only with the apply. */
function provider(answers: Answers = {}) {
  return fakeProvider({
    planResourceChange: ({ priorState, proposedNewState }) =>
      plan({
        plannedState: valueObject({
          ...(proposedNewState as object),
          ...(priorState === null ? open : { secret: null }),
        }),
        plannedPrivate: Uint8Array.of(7),
      }),
    applyResourceChange: ({ plannedState }) =>
      applied({
        newState: plannedState === null ? null : valueObject({ ...(plannedState as object), id: '1', zone: 'z' }),
        private: Uint8Array.of(8),
      }),
    ...answers,
  })
}

async function approve(given: Partial<PlanInput>): Promise<PlannedChange> {
  const change = await planInstance(planInput({ config, ...given }), provider())
  if (change.kind !== 'planned') throw new Error(JSON.stringify(change))
  return change
}

async function creation(more: Partial<ApplyInput> = {}): Promise<ApplyInput> {
  return input({ approved: await approve({}), step: 'create', ...more })
}

async function update(more: Partial<ApplyInput> = {}): Promise<ApplyInput> {
  return input({ approved: await approve({ prior, config: renamed }), step: 'update', config: renamed, prior, ...more })
}

function input(given: Partial<ApplyInput> & Pick<ApplyInput, 'approved' | 'step'>): ApplyInput {
  return { ...instanceOf(), config, configSensitive: [], lifecycle: defaultLifecycle, ...given }
}

function deletion(): ApplyInput {
  const approved: PlannedChange = {
    kind: 'planned',
    action: 'delete',
    before: made,
    after: null,
    plannedPrivate: Uint8Array.of(3),
    requiredReplace: [],
    beforeSensitive: [],
    afterSensitive: [],
    diagnostics: [],
    notes: [],
  }
  return input({ approved, step: 'delete', config: null, prior })
}

const failing = { diagnostics: [{ severity: 'error' as const, summary: 'Quota exceeded' }] }

describe('a final plan', () => {
  test('holds everything that the call will send', async () => {
    const plan = (await finalPlan(await creation({ configSensitive: [at('name')] }), provider())) as FinalCall
    expect(plan).toMatchObject({
      kind: 'call',
      step: 'create',
      request: {
        typeName: 'sim_thing',
        priorState: null,
        plannedState: objectOf(thing, { name: 'a', image: 'x', id: unknown, zone: unknown }),
        config,
        plannedPrivate: Uint8Array.of(7),
      },
      afterSensitive: [at('name')],
    })
  })

  test('of a deletion needs no call and sends the private bytes of the approved plan', async () => {
    const its = provider()
    expect(await finalPlan(deletion(), its)).toMatchObject({
      kind: 'call',
      request: { priorState: made, plannedState: null, config: null, plannedPrivate: Uint8Array.of(3) },
    })
    expect(its.calls).toEqual([])
  })

  test('of the new object of a replacement knows nothing of the old one', async () => {
    const replaced = await approve({ prior, forceReplace: 'request' })
    const plan = await finalPlan(input({ approved: replaced, step: 'create', prior }), provider())
    expect(plan).toMatchObject({ kind: 'call', request: { priorState: null } })
  })

  test('settles an update that turns out to be none', async () => {
    const approved = await approve({ prior, config: objectOf(thing, { name: unknown, image: 'x' }) })
    expect(approved.action).toBe('update')
    const plan = await finalPlan(input({ approved, step: 'update', prior }), provider())
    expect(plan).toMatchObject({ kind: 'settled', state: prior })
  })

  test('settles a change of what is sensitive without the provider', async () => {
    const approved = await approve({ prior, configSensitive: [at('name')] })
    const plan = await finalPlan(input({ approved, step: 'update', prior, configSensitive: [at('name')] }), provider())
    expect(plan).toMatchObject({ kind: 'settled', state: { value: made, sensitivePaths: [at('name')] } })
  })

  const planning = (its: Readonly<Record<string, Value>>) =>
    provider({
      planResourceChange: ({ proposedNewState }) =>
        plan({
          plannedState: valueObject({ ...(proposedNewState as object), ...its }),
          requiresReplace: [at('image')],
        }),
    })

  test.each<[string, () => Promise<ApplyInput>, ReturnType<typeof provider>, string]>([
    [
      'a value that was approved otherwise',
      async () =>
        creation({ approved: { ...(await approve({})), after: objectOf(thing, { name: 'a', image: 'x', id: '1' }) } }),
      planning({ id: '2' }),
      'Provider produced inconsistent final plan',
    ],
    [
      'what was excluded when it was still unknown',
      async () => {
        const after = objectOf(thing, { name: 'a', image: 'x', id: new Unknown({ prefix: 'i-' }), zone: unknown })
        return creation({ approved: { ...(await approve({})), after } })
      },
      planning({ id: 'j-1' }),
      'Provider produced inconsistent final plan',
    ],
    [
      'a replacement where an update was approved',
      () => update({ config: objectOf(thing, { name: 'b', image: 'y' }) }),
      planning({}),
      'Provider produced inconsistent final plan',
    ],
    [
      'what is still not known',
      () => creation({ config: objectOf(thing, { name: unknown }) }),
      provider(),
      'Configuration contains unknown value',
    ],
    ['what is invalid now', () => creation(), provider({ validateResourceConfig: () => failing }), 'Quota exceeded'],
  ])('refuses %s', async (_, given, its, summary) => {
    expect(await finalPlan(await given(), its)).toMatchObject({ kind: 'failed', diagnostics: [{ summary }] })
  })
})

describe('an outcome', () => {
  test('is kept with what the provider returned', async () => {
    expect(await applyInstance(await creation({ configSensitive: [at('name')] }), provider())).toEqual({
      kind: 'applied',
      unclear: false,
      state: {
        value: made,
        private: Uint8Array.of(8),
        schemaVersion: 0,
        status: 'ready',
        sensitivePaths: [at('name')],
      },
      diagnostics: [],
      notes: [],
    })
  })

  test('of a deletion is nothing', async () => {
    expect(await applyInstance(deletion(), provider())).toEqual({
      kind: 'applied',
      unclear: false,
      diagnostics: [],
      notes: [],
    })
  })

  const partly = objectOf(thing, { name: 'half', id: '1' })
  const answering = (answer: Partial<Parameters<typeof applied>[0]>) =>
    provider({ applyResourceChange: () => applied({ private: Uint8Array.of(9), ...answer }) })

  // [why, step, answer, what is kept]
  test.each<[string, () => Promise<ApplyInput>, ReturnType<typeof provider>, Partial<InstanceState> | undefined]>([
    [
      'a creation that failed half-way is tainted',
      creation,
      answering({ newState: partly, ...failing }),
      { value: partly, status: 'tainted', private: Uint8Array.of(9) },
    ],
    ['a creation that made nothing leaves nothing', creation, answering({ newState: null, ...failing }), undefined],
    [
      'an update that failed half-way keeps its status',
      update,
      answering({ newState: partly, ...failing }),
      { value: partly, status: 'ready' },
    ],
    [
      'an update that failed and says nothing leaves what was',
      update,
      answering({ newState: null, ...failing }),
      prior,
    ],
    ['an update that failed without a word leaves what was', update, answering(failing), { value: made }],
    [
      'a deletion that failed leaves what was',
      async () => deletion(),
      answering({ newState: null, ...failing }),
      prior,
    ],
    ['a deletion that failed without a word leaves what was', async () => deletion(), answering(failing), prior],
    [
      'a deletion that left the object keeps it',
      async () => deletion(),
      answering({ newState: made }),
      { value: made, status: 'ready' },
    ],
    ['an update that lost the object keeps what was', update, answering({ newState: null }), prior],
    [
      'another value than planned taints what was created',
      creation,
      answering({ newState: partly }),
      { value: partly, status: 'tainted' },
    ],
    [
      'what is left unknown is null',
      creation,
      answering({ newState: objectOf(thing, { name: 'a', image: 'x', id: unknown, zone: 'z' }) }),
      { value: objectOf(thing, { name: 'a', image: 'x', id: null, zone: 'z' }), status: 'tainted' },
    ],
    [
      'what is only written is not kept',
      creation,
      answering({ newState: objectOf(thing, { name: 'a', image: 'x', id: '1', zone: 'z', secret: 's' }) }),
      { value: made, status: 'tainted' },
    ],
    ['an answer without an object', update, answering({}), { value: made }],
  ])('%s', async (_, given, its, kept) => {
    const outcome = await applyInstance(await given(), its)
    expect(outcome.kind).toBe('failed')
    if (kept === undefined) expect(outcome).not.toHaveProperty('state')
    else expect(outcome.state).toMatchObject(kept)
  })

  test('against the plan is only noted of an old type system', async () => {
    const outcome = await applyInstance(await creation(), answering({ newState: partly, legacyTypeSystem: true }))
    expect(outcome).toMatchObject({ kind: 'applied', state: { value: partly, status: 'ready' }, diagnostics: [] })
    expect(outcome.notes).toHaveLength(1)
  })

  test('is unclear when the answer can not be read', async () => {
    const its = provider({
      applyResourceChange: () => {
        throw new ProviderAnswerError('ApplyResourceChange', 'sim_thing', new Error('name: a string is required'))
      },
    })
    expect(await applyInstance(await update(), its)).toMatchObject({ kind: 'failed', unclear: true, state: prior })
  })

  test('throws a lost answer, after the intent was written', async () => {
    const lost = new Error('connection lost')
    const its = provider({
      applyResourceChange: () => {
        throw lost
      },
    })
    const intents: FinalCall[] = []
    const beforeCall = async (plan: FinalCall) => void intents.push(plan)
    await expect(applyInstance(await creation(), its, { beforeCall })).rejects.toBe(lost)
    expect(intents).toHaveLength(1)
  })
})
