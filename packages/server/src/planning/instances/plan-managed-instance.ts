import type { InstanceConfig } from '../../evaluation/index.ts'
import {
  changedAttributes,
  fingerprintOf,
  hideConfigured,
  outputOfRecord,
  outputValue,
  resourceInstance,
  shownDiagnostics,
} from '../../evaluation/index.ts'
import { costLimitPerTemplates, Meter, reportableProblem } from '../../expression/index.ts'
import type { Lifecycle } from '../../model/index.ts'
import { addressOf, hasSettledFacts, settledFacts } from '../../model/index.ts'
import type { PlannedChange, PlannedInstance } from '../../terraform/index.ts'
import { appliedWithDrift, planInstance, triggersReplacement } from '../../terraform/index.ts'
import { blockedRecord } from '../change-facts.ts'
import type { PlanContext } from '../context.ts'
import type { InstancePlan, InstanceToPlan, ObjectPlan, Prior } from '../object-plan.ts'
import { problemText } from '../obstacle.ts'
import { changeRecord } from '../record-change.ts'
import { priorOf } from './prior.ts'

/** Plans one instance of a managed resource. Ends early when it is settled with the same inputs. */
export async function planManagedInstance(
  context: PlanContext,
  plan: ObjectPlan,
  one: InstanceToPlan,
): Promise<InstancePlan> {
  const { object, access } = plan
  const address = addressOf(object, one.instance)
  const config = evaluateInstance(context, plan, one)
  if ('problem' in config && context.request.mode !== 'RefreshOnly')
    return blockInstance(context, plan, one, 'blocked', config.problem)
  const forced = forcedReplace(context, plan, one)
  const known = settled(context, plan, one, config, forced !== undefined)
  if (known !== undefined && !context.request.everything) return known
  const secrets = hideConfigured(access, object.kind.schema, config)
  const instance = resourceInstance(object.kind, { capabilities: access.capabilities, secrets }, address)
  const lifecycle = keepingLifecycle(plan, one)
  const believing: InstanceToPlan = known === undefined ? one : { ...one, skipsRefresh: true }
  const prior = await priorOf(context, plan, believing, instance, { config, lifecycle })
  if (prior.kind !== 'prior') return blockInstance(context, plan, one, prior.kind, prior.message, prior.diagnostics)
  if (context.request.mode === 'RefreshOnly') return planRefreshOnly(context, plan, one, config, prior)
  const found = forced === undefined ? foundSettled(context, plan, one, config, prior) : undefined
  if (found !== undefined) return found
  const planned = await planInstance(
    {
      ...instance,
      config: config.value,
      configSensitive: config.sensitive,
      lifecycle,
      ...(prior.state !== undefined && { prior: prior.state }),
      ...(forced !== undefined && { forceReplace: forced }),
      ...(prior.importing !== undefined && { importing: prior.importing }),
    },
    access.port,
    { signal: context.signal },
  )
  return take(context, plan, one, config, prior, planned)
}

/** Evaluates the configuration of an instance and its fingerprint; with a problem, the part that could be evaluated. */
export function evaluateInstance(
  { ports }: PlanContext,
  { object, config, inputs, lifecycle, refersTo, access }: ObjectPlan,
  { instance, each }: InstanceToPlan,
): InstanceConfig | (InstanceConfig & { readonly problem: string }) {
  const scope = inputs.scope(instance, each)
  const { value, sensitive, problems } = config.evaluate(scope, new Meter(costLimitPerTemplates))
  const hash = (text: string) => ports.hash(text)
  const problem = reportableProblem(problems)
  if (problem !== undefined)
    return { value, sensitive, secrets: scope.secrets, used: [], fingerprint: '', problem: problemText(problem) }
  const lifecycleOfKind = object.kind.data ? { ...lifecycle, preventDestroy: false } : lifecycle
  const fingerprint = fingerprintOf(value, lifecycleOfKind, refersTo, access, hash)
  return { value, sensitive, secrets: scope.secrets, used: scope.used(hash), fingerprint }
}

/** Records that an instance is blocked or deferred. */
export async function blockInstance(
  { sink }: PlanContext,
  { object }: ObjectPlan,
  { instance }: InstanceToPlan,
  kind: 'blocked' | 'deferred',
  message: string,
  diagnostics: Parameters<typeof blockedRecord>[4] = [],
): Promise<InstancePlan> {
  const address = addressOf(object, instance)
  await sink.change({ ref: object.ref, instance, part: '' }, blockedRecord(object, address, kind, message, diagnostics))
  return { kind, message }
}

function forcedReplace({ request }: PlanContext, plan: ObjectPlan, { instance }: InstanceToPlan) {
  if (plan.triggered?.(instance)) return 'triggers'
  return request.replaces(plan.object.ref, plan.object.kind, instance) ? 'request' : undefined
}

// An instance that was applied with `lifecycle.destroy: false` is forgotten until another setting is applied.
function keepingLifecycle({ lifecycle }: ObjectPlan, { states }: InstanceToPlan): Lifecycle {
  return states?.current?.record.keep === true ? { ...lifecycle, destroy: false } : lifecycle
}

// Returns the stored state when the instance is settled with the same inputs and the plan doesn't refresh or replace it.
function settled(
  { request }: PlanContext,
  { object }: ObjectPlan,
  { states }: InstanceToPlan,
  { fingerprint }: InstanceConfig,
  forced: boolean,
): InstancePlan | undefined {
  const seen = (states?.observed ?? states?.current)?.record
  if (seen === undefined || forced || request.refresh === 'All' || request.mode === 'RefreshOnly') return undefined
  if (seen.fingerprint !== fingerprint || seen.status !== 'ready') return undefined
  return { kind: 'same', output: () => outputOfRecord(object.kind.schema, seen) }
}

// Returns the read state when a refresh found the applied value and the inputs are unchanged: the provider would plan no change.
function foundSettled(
  { request }: PlanContext,
  { object }: ObjectPlan,
  { states }: InstanceToPlan,
  { fingerprint }: InstanceConfig,
  { isAsApplied, state }: Prior,
): InstancePlan | undefined {
  const applied = states?.current?.record
  if (request.everything || !isAsApplied || state === undefined) return undefined
  if (applied?.fingerprint !== fingerprint || applied.status !== 'ready') return undefined
  return { kind: 'same', output: () => outputValue(object.kind.schema, state.value, state.sensitivePaths) }
}

// create_before_destroy of a dependent forces it on its dependencies, as in Terraform.
async function withForcedCreateFirst(
  { ports }: PlanContext,
  { object }: ObjectPlan,
  planned: PlannedChange,
): Promise<PlannedChange> {
  if (planned.action !== 'delete-then-create' || !(await ports.isForcedToCreateFirst(object.ref))) return planned
  return { ...planned, action: 'create-then-delete' }
}

async function take(
  context: PlanContext,
  plan: ObjectPlan,
  one: InstanceToPlan,
  config: InstanceConfig,
  prior: Prior,
  planned: PlannedInstance,
): Promise<InstancePlan> {
  if (planned.kind === 'failed') {
    const diagnostics = shownDiagnostics(plan, config, planned)
    return blockInstance(
      context,
      plan,
      one,
      'blocked',
      diagnostics[0]?.summary ?? 'the provider rejected it',
      diagnostics,
    )
  }
  if (planned.kind === 'deferred')
    return blockInstance(context, plan, one, 'deferred', `the provider deferred it: ${planned.reason}`)
  const output = () => outputValue(plan.object.kind.schema, planned.after, planned.afterSensitive)
  const attributes = changedAttributes(plan.object.kind.schema, prior.settledValue, planned.after)
  if (planned.action === 'noop' && planned.importing === undefined)
    return { kind: 'same', output, attributes, ...settlementOf(plan, prior, one, config) }
  await record(context, plan, one, config, prior, await withForcedCreateFirst(context, plan, planned))
  return { kind: 'changed', output, attributes, triggers: triggersOf(plan, planned) }
}

// Compared with the real resource: correcting drift counts as a trigger, although dependents see no new value.
function triggersOf({ object }: ObjectPlan, { action, before, after }: PlannedChange): readonly string[] {
  return triggersReplacement(action) ? ['*', ...changedAttributes(object.kind.schema, before, after)] : []
}

function settlementOf(
  { lifecycle, refersTo, access }: ObjectPlan,
  { slot, revision }: Prior,
  { instance, states }: InstanceToPlan,
  { fingerprint }: InstanceConfig,
) {
  if (revision === undefined) return {}
  const facts = settledFacts(lifecycle, access.configuration, refersTo, fingerprint)
  const known = states?.[slot]
  if (known?.revision === revision && hasSettledFacts(known.record, facts)) return {}
  return {
    settlement: { instance, slot, facts, revision, ...(known?.revision === revision && { record: known.record }) },
  }
}

async function record(
  { sink }: PlanContext,
  plan: ObjectPlan,
  { instance }: InstanceToPlan,
  config: InstanceConfig,
  prior: Prior,
  planned: PlannedChange,
): Promise<void> {
  await sink.change({ ref: plan.object.ref, instance, part: '' }, changeRecord(plan, instance, config, prior, planned))
}

// Plans a refresh-only change: the observed drift is the change, and applying it calls no provider.
async function planRefreshOnly(
  context: PlanContext,
  plan: ObjectPlan,
  one: InstanceToPlan,
  evaluated: InstanceConfig,
  prior: Prior,
): Promise<InstancePlan> {
  const { schema } = plan.object.kind
  const applied = prior.appliedValue ?? null
  const after = prior.state?.value ?? null
  const output = () => outputValue(schema, after, prior.state?.sensitivePaths ?? [])
  if (prior.slot === 'current') return { kind: 'same', output }
  const isReported = context.request.allDifferences || prior.drift?.length !== 0
  if (!isReported) return { kind: 'same', output, ...(prior.isSettled && settlementOf(plan, prior, one, evaluated)) }
  const isPartial = !context.request.allDifferences && prior.drift !== undefined
  const before = isPartial ? appliedWithDrift(applied, after, prior.drift) : applied
  const planned: PlannedChange = {
    kind: 'planned',
    before,
    after,
    action: after === null ? 'forget' : 'update',
    plannedPrivate: prior.state?.private ?? new Uint8Array(0),
    requiredReplace: [],
    beforeSensitive: prior.state?.sensitivePaths ?? [],
    afterSensitive: prior.state?.sensitivePaths ?? [],
    diagnostics: [],
    notes: [],
  }
  const config: InstanceConfig = { value: null, sensitive: [], secrets: [], used: [], fingerprint: '' }
  const change = changeRecord(plan, one.instance, config, prior, planned)
  const target = { ref: plan.object.ref, instance: one.instance, part: '' }
  await context.sink.change(target, { ...change, work: { ...change.work!, accepts: true } })
  return { kind: 'changed', output, attributes: changedAttributes(schema, applied, after), triggers: [] }
}
