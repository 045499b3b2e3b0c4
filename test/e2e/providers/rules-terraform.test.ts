import {
  type ApplyInput,
  type ChangeJson,
  changeToJson,
  defaultLifecycle,
  type FinalCall,
  type InstanceState,
  type Json,
  judgeFinalPlan,
  judgeOutcome,
  judgePlan,
  judgeReplacement,
  type PlanInput,
  type PlannedInstance,
  planRequestFor,
  proposedNew,
} from '@hykube/server/plan'
import type { PlanResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { attributeStep, equalValues, impliedType, isObject, valueToJson } from '@hykube/tfplugin/value'
import { expect, test } from 'vitest'
import type { Case } from '../../fixtures/recording-provider/cases.ts'
import type { Recorded } from '../../fixtures/recording-provider/record.ts'
import { describeWith } from '../../real-parts/index.ts'
import { errorsByType, RecordingRun } from './recording-run.ts'

const timeout = 120_000
const nothing = new Uint8Array(0)

describeWith(['terraform'], 'the rules of one instance, with real terraform as the referee', (terraform) => {
  test('what is proposed, chosen and shown is what terraform proposes, chooses and shows', { timeout }, async () => {
    const run = new RecordingRun(terraform, 'faithful', { seed: 1, count: 500, unknowns: true })
    const { output } = await run.run('plan', '-json', '-out=plan', '-parallelism=20')
    expect(errorsByType(output)).toEqual(new Map())
    const shown = changesByType((await run.run('show', '-json', 'plan')).output)
    const records = run.records()
    expect(records.size).toBe(500)
    let carriedOver = 0
    for (const its of run.cases) {
      const plans = records.get(its.typeName)!
      for (const { values } of plans) {
        const proposed = proposedNew(its.schema, values.prior!, values.config!)
        const same = equalValues(proposed, values.proposed!)
        expect(
          same,
          same ? '' : `${its.typeName}: ${valueText(its, proposed)} is not ${valueText(its, values.proposed!)}`,
        ).toBe(true)
        if (!equalValues(proposed, values.config!)) carriedOver++
      }
      const planned = plannedAgain(its, plans, true)
      expect(planned, its.typeName).toMatchObject({ kind: 'planned' })
      if (planned.kind !== 'planned') continue
      expect(changeToJson(its.schema, planned), its.typeName).toEqual(expectedChange(shown.get(its.typeName)!))
    }
    expect(carriedOver).toBeGreaterThan(100)
  })

  test('plans that terraform refuses are refused, and no others', { timeout }, async () => {
    const run = new RecordingRun(terraform, 'bad-plans', { seed: 2, count: 500, unknowns: true })
    const { output } = await run.run('plan', '-json', '-parallelism=20')
    const errors = errorsByType(output)
    const records = run.records()
    const verdicts = run.cases.map((its) => [
      its.typeName,
      plannedAgain(its, records.get(its.typeName)!, false).kind === 'failed',
    ])
    expect(verdicts).toEqual(run.cases.map(({ typeName }) => [typeName, errors.has(typeName)]))
    expect(errors.size).toBeGreaterThan(100)
    expect(errors.size).toBeLessThan(450)
  })

  test('after an apply the same is kept, tainted and called an error', { timeout }, async () => {
    const run = new RecordingRun(terraform, 'bad-results', { seed: 3, count: 500, unknowns: false })
    const { output } = await run.run('apply', '-json', '-auto-approve', '-parallelism=20')
    const errors = errorsByType(output)
    const state = run.state()
    const records = run.records()
    let applied = 0
    for (const its of run.cases) {
      const calls = records.get(its.typeName)!
      if (!calls.some(({ rpc }) => rpc === 'apply')) continue
      applied++
      const outcome = outcomeAgain(its, calls)
      expect(outcome.kind === 'failed', its.typeName).toBe(errors.has(its.typeName))
      const kept = state.get(its.typeName)
      expect(outcome.state === undefined, its.typeName).toBe(kept === undefined)
      if (outcome.state === undefined || kept === undefined) continue
      expect(outcome.state.status, its.typeName).toBe(kept.status ?? 'ready')
      expect(JSON.parse(valueText(its, outcome.state.value)), its.typeName).toEqual(kept.attributes)
    }
    expect(applied).toBeGreaterThan(200)
    expect(errors.size).toBeGreaterThan(100)
  })
})

/** Our own plan from the calls that Terraform made and the answers it got. */
function plannedAgain(its: Case, [first, second]: readonly Recorded[], replacing: boolean): PlannedInstance {
  const input = planInputOf(its, first!)
  const paths = its.schema.block.attributes.filter(({ name }) => name === 'r').map(({ name }) => [attributeStep(name)])
  const requiresReplace = replacing && isObject(first!.values.prior!) ? paths : []
  const verdict = judgePlan(input, planRequestFor(input), answer(first!, requiresReplace))
  return verdict.kind === 'replacement' ? judgeReplacement(input, verdict, answer(second!, [])) : verdict
}

function outcomeAgain(its: Case, calls: readonly Recorded[]) {
  const [first, final] = calls.filter(({ rpc }) => rpc === 'plan')
  const approved = plannedAgain(its, [first!], false)
  if (approved.kind !== 'planned') throw new Error(`${its.typeName} was applied without a plan`)
  const { prior, ...rest } = planInputOf(its, final!)
  const step = prior === undefined ? 'create' : 'update'
  const input: ApplyInput = { ...rest, approved, step, ...(prior !== undefined && { prior }) }
  const plan = judgeFinalPlan(input, planRequestFor(planInputOf(its, final!)), answer(final!, [])) as FinalCall
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

function planInputOf({ typeName, schema }: Case, { values }: Recorded): PlanInput {
  const prior: InstanceState | undefined =
    values.prior === null
      ? undefined
      : { value: values.prior!, private: nothing, schemaVersion: 0, status: 'ready', sensitivePaths: [] }
  return {
    address: `${typeName}.this`,
    provider: 'local/test/rec',
    typeName,
    schema,
    capabilities: { planDestroy: false },
    config: values.config!,
    configSensitive: [],
    lifecycle: defaultLifecycle,
    ...(prior !== undefined && { prior }),
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

function valueText({ schema }: Case, value: Parameters<typeof valueToJson>[0]): string {
  try {
    return valueToJson(value, impliedType(schema.block))
  } catch {
    return JSON.stringify(value)
  }
}

interface ShownChange {
  readonly type: string
  readonly change: ChangeJson
}

function changesByType(output: string): Map<string, ChangeJson> {
  const { resource_changes } = JSON.parse(output) as { readonly resource_changes: readonly ShownChange[] }
  return new Map(resource_changes.map(({ type, change }) => [type, change]))
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
