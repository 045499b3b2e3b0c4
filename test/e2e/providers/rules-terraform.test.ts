import { defaultLifecycle, type InstanceState } from '@hykube/server/model'
import {
  type ApplyInput,
  type ChangeJson,
  changeToJson,
  type FinalCall,
  isReplacement,
  type Json,
  judgeFinalPlan,
  judgeOutcome,
  judgePlan,
  judgeReplacement,
  type PlanInput,
  type PlannedInstance,
  planDataSource,
  planRequestFor,
  proposedNew,
  type ResourceInstance,
} from '@hykube/server/terraform'
import type { PlanResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { impliedType } from '@hykube/tfplugin/schema'
import { attributeStep, equalValues, isObject, pathToText, type Value, valueToJson } from '@hykube/tfplugin/value'
import { expect, test } from 'vitest'
import type { Case } from '../../fixtures/recording-provider/cases.ts'
import type { Recorded } from '../../fixtures/recording-provider/record.ts'
import { describeWith } from '../../real-parts/index.ts'
import { errorsByType, RecordingRun } from './recording-run.ts'

const timeout = 120_000
const nothing = new Uint8Array(0)

describeWith(['terraform'], 'the rules of one instance, with real terraform as the referee', (terraform) => {
  test('proposed, chosen and shown values equal those of terraform', { timeout }, async () => {
    const run = new RecordingRun(terraform, 'faithful', { seed: 1, count: 300, unknowns: true })
    const { output } = await run.run('plan', '-json', '-out=plan', '-parallelism=20')
    expect(errorsByType(output)).toEqual(new Map())
    const shown = shownChanges((await run.run('show', '-json', 'plan')).output)
    const records = run.records()
    expect(records.size).toBe(300)
    let carriedOver = 0
    for (const its of run.cases) {
      const calls = records.get(its.typeName)!
      const plans = calls.filter(({ rpc }) => rpc === 'plan')
      for (const { values } of plans) {
        const proposed = proposedNew(its.schema, values.prior!, values.config!)
        expectSame(its, proposed, values.proposed!)
        if (!equalValues(proposed, values.config!)) carriedOver++
      }
      const planned = plannedAgain(its, calls, true)
      expect(planned, its.typeName).toMatchObject({ kind: 'planned' })
      if (planned.kind !== 'planned') continue
      const ours = terraformForm(changeToJson(its.schema, planned))
      const { change, action_reason } = shown.get(`managed ${its.typeName}`)!
      const theirs = expectedChange(change)
      expect(planned.reason, its.typeName).toBe(action_reason)
      expect(ours.actions, its.typeName).toEqual(theirs.actions)
      // Terraform marks a new object by what was ignored of the old one.
      if (its.ignored.length === 0 || !isReplacement(planned.action)) expect(ours, its.typeName).toEqual(theirs)
    }
    expect(carriedOver).toBeGreaterThan(60)

    let waiting = 0
    for (const its of run.cases) {
      const config = records.get(its.typeName)!.findLast(({ rpc }) => rpc === 'validate-data')?.values.config
      if (config === undefined) continue
      const theirs = shown.get(`data ${its.typeName}`)
      // Which dependencies count is known to whoever sees them all.
      const dependencyPending = theirs?.action_reason === 'read_because_dependency_pending'
      const decision = planDataSource({ ...instanceOf(its), config, configSensitive: [], dependencyPending })
      expect(decision.kind, its.typeName).toBe(theirs === undefined ? 'read-now' : 'planned')
      if (decision.kind !== 'planned') continue
      waiting++
      expect(decision.reason).toBe(theirs!.action_reason)
      expect(terraformForm(changeToJson(its.schema, decision)), its.typeName).toEqual(expectedChange(theirs!.change))
    }
    expect(waiting).toBeGreaterThan(20)
  })

  test('plans that terraform refuses are refused, and no others', { timeout }, async () => {
    const run = new RecordingRun(terraform, 'bad-plans', { seed: 2, count: 300, unknowns: true })
    const { output } = await run.run('plan', '-json', '-parallelism=20')
    const errors = errorsByType(output)
    const records = run.records()
    const verdicts = run.cases.map((its) => [
      its.typeName,
      plannedAgain(its, records.get(its.typeName)!, false).kind === 'failed',
    ])
    expect(verdicts).toEqual(run.cases.map(({ typeName }) => [typeName, errors.has(typeName)]))
    expect(errors.size).toBeGreaterThan(60)
    expect(errors.size).toBeLessThan(280)
  })

  test('after an apply the same is kept, tainted and called an error', { timeout }, async () => {
    const run = new RecordingRun(terraform, 'bad-results', { seed: 3, count: 150, unknowns: false })
    const { output } = await run.run('apply', '-json', '-auto-approve', '-parallelism=20')
    const errors = errorsByType(output)
    const state = run.state()
    const records = run.records()
    let applied = 0
    for (const its of run.cases) {
      const calls = records.get(its.typeName)!
      // The two halves of a replacement are two calls.
      if (!calls.some(({ rpc }) => rpc === 'apply') || (its.tainted && its.prior !== null)) continue
      applied++
      const outcome = outcomeAgain(its, calls)
      expect(outcome.kind === 'failed', its.typeName).toBe(errors.has(its.typeName))
      const kept = state.get(its.typeName)
      expect(outcome.state === undefined, its.typeName).toBe(kept === undefined)
      if (outcome.state === undefined || kept === undefined) continue
      expect(outcome.state.status, its.typeName).toBe(kept.status ?? 'ready')
      expect(JSON.parse(valueText(its, outcome.state.value)), its.typeName).toEqual(kept.attributes)
    }
    expect(applied).toBeGreaterThan(60)
    expect(errors.size).toBeGreaterThan(30)
  })
})

/** Our own plan from the calls that Terraform made and the answers it got. */
function plannedAgain(its: Case, calls: readonly Recorded[], replacing: boolean): PlannedInstance {
  const [first, second] = calls.filter(({ rpc }) => rpc === 'plan')
  const input = planInputOf(its, first!, configOf(calls))
  const paths = its.schema.block.attributes.filter(({ name }) => name === 'r').map(({ name }) => [attributeStep(name)])
  const requiresReplace = replacing && isObject(first!.values.prior!) ? paths : []
  const request = planRequestFor(input)
  expectSame(its, request.config, first!.values.config!)
  const verdict = judgePlan(input, request, answer(first!, requiresReplace))
  return verdict.kind === 'replacement' ? judgeReplacement(input, verdict, answer(second!, [])) : verdict
}

function outcomeAgain(its: Case, calls: readonly Recorded[]) {
  const [, final] = calls.filter(({ rpc }) => rpc === 'plan')
  const approved = plannedAgain(its, calls, false)
  if (approved.kind !== 'planned') throw new Error(`${its.typeName} was applied without a plan`)
  const { prior, ...rest } = planInputOf(its, final!, configOf(calls))
  const step = prior === undefined ? 'create' : 'update'
  const input: ApplyInput = { ...rest, approved, step, ...(prior !== undefined && { prior }) }
  const plan = judgeFinalPlan(
    input,
    planRequestFor(planInputOf(its, final!, configOf(calls))),
    answer(final!, []),
  ) as FinalCall
  const { values, failed } = calls.find(({ rpc }) => rpc === 'apply')!
  expect(equalValues(plan.request.plannedState, values.planned!), its.typeName).toBe(true)
  return judgeOutcome(input, plan, {
    kind: 'answered',
    response: {
      newState: values.new!,
      private: nothing,
      legacyTypeSystem: false,
      diagnostics: failed ? [{ severity: 'error', summary: 'It did not work' }] : [],
    },
  })
}

// Validation gets the configuration as written; planning gets it without ignored changes.
function configOf(calls: readonly Recorded[]): Value {
  return calls.findLast(({ rpc }) => rpc === 'validate')!.values.config!
}

function planInputOf(its: Case, { values }: Recorded, config: Value): PlanInput {
  // A tainted object is not what the provider is shown as the prior one.
  const tainted = its.tainted && its.prior !== null
  const value = tainted ? its.prior : values.prior!
  const status = tainted ? 'tainted' : 'ready'
  const prior: InstanceState | undefined =
    value === null ? undefined : { value, private: nothing, schemaVersion: 0, status, sensitivePaths: [] }
  return {
    ...instanceOf(its),
    config,
    configSensitive: [],
    lifecycle: { ...defaultLifecycle, ignoreChanges: its.ignored },
    ...(prior !== undefined && { prior }),
  }
}

function instanceOf({ typeName, schema }: Case): ResourceInstance {
  return {
    address: `${typeName}.this`,
    provider: 'local/test/rec',
    typeName,
    schema,
    capabilities: { planDestroy: false },
  }
}

function answer(
  { values }: Recorded,
  requiresReplace: PlanResourceChangeResponse['requiresReplace'],
): PlanResourceChangeResponse {
  return {
    plannedState: values.planned!,
    requiresReplace,
    plannedPrivate: nothing,
    legacyTypeSystem: false,
    diagnostics: [],
  }
}

function expectSame(its: Case, ours: Value, theirs: Value): void {
  if (equalValues(ours, theirs)) return
  const ignored = its.ignored === 'all' ? 'all' : its.ignored.map(pathToText).join()
  expect.fail(`${its.typeName} (ignoring ${ignored}): ${valueText(its, ours)} is not ${valueText(its, theirs)}`)
}

function valueText({ schema }: Case, value: Value): string {
  try {
    return valueToJson(value, impliedType(schema.block))
  } catch {
    return JSON.stringify(value)
  }
}

interface ShownChange {
  readonly mode: 'managed' | 'data'
  readonly type: string
  readonly action_reason?: string
  readonly change: ChangeJson
}

/** The changes of a plan by mode and type. */
function shownChanges(output: string): Map<string, ShownChange> {
  const { resource_changes } = JSON.parse(output) as { readonly resource_changes: readonly ShownChange[] }
  return new Map(resource_changes.map((its) => [`${its.mode} ${its.type}`, its]))
}

/** Terraform's change as we show it: without sensitive values, and without an update that changes nothing but their marks. */
function expectedChange({
  actions,
  before,
  after,
  after_unknown,
  before_sensitive,
  after_sensitive,
  replace_paths,
}: ChangeJson): ChangeJson {
  return {
    actions,
    before: redacted(before, before_sensitive),
    after: redacted(after, after_sensitive),
    after_unknown,
    before_sensitive,
    after_sensitive,
    ...(replace_paths !== undefined && { replace_paths }),
  }
}

function redacted(json: Json, mask: Json): Json {
  if (mask === true) return null
  if (Array.isArray(json))
    return json.map((part: Json, i) => redacted(part, Array.isArray(mask) ? (mask[i] ?? false) : false))
  if (typeof json !== 'object' || json === null) return json
  const masks = (typeof mask === 'object' ? mask : {}) as { readonly [name: string]: Json }
  return Object.fromEntries(Object.entries(json).map(([name, part]) => [name, redacted(part, masks[name] ?? false)]))
}

// Terraform's plan JSON doesn't list the sensitive values that differ.
function terraformForm({ changed_sensitive: _, ...change }: ReturnType<typeof changeToJson>) {
  return change
}
