import { costLimitPerObject, Meter, shownProblem } from '../expression/index.ts'
import { addressOf, blockedRecord } from './change-facts.ts'
import type { PlanContext } from './context.ts'
import { fingerprintOf } from './fingerprint.ts'
import { hideConfigured } from './hide-secrets.ts'
import type { InstanceConfig, InstancePlan, NodePlan, PlannedOne, Prior } from './node-plan.ts'
import { problemText } from './obstacle.ts'
import { changedAttributes, outputOfRecord, outputValue } from './outputs.ts'
import { priorOf } from './prior.ts'
import { changeRecord, shownDiagnostics } from './record-change.ts'
import { triggersReplacement } from './rules/action.ts'
import type { Lifecycle, ResourceInstance } from './rules/instance.ts'
import { planInstance } from './rules/plan-instance.ts'
import type { PlannedChange, PlannedInstance } from './rules/planned-instance.ts'
import { hasSettledFacts, settledFacts } from './state-record.ts'

/** Plans one instance of a managed resource. What is settled with the same inputs is not looked at further. */
export async function planOne(context: PlanContext, plan: NodePlan, one: PlannedOne): Promise<InstancePlan> {
  const { node, access } = plan
  const address = addressOf(node, one.instance)
  const config = evaluateInstance(context, plan, one)
  if ('problem' in config) return stopOne(context, plan, one, 'blocked', config.problem)
  const forced = forcedReplace(context, plan, one)
  const known = settled(context, plan, one, config, forced !== undefined)
  if (known !== undefined && !context.request.everything) return known
  const secrets = hideConfigured(access, node.kind.schema, config)
  const instance = resourceInstance(plan, address, secrets)
  const prior = await priorOf(context, plan, known === undefined ? one : { ...one, believed: true }, instance)
  if (prior.kind !== 'prior') return stopOne(context, plan, one, prior.kind, prior.message, prior.diagnostics)
  if (context.request.mode === 'RefreshOnly') return refreshOnly(context, plan, one, prior)
  const found = forced === undefined ? foundSettled(context, plan, one, config, prior) : undefined
  if (found !== undefined) return found
  const planned = await planInstance(
    {
      ...instance,
      config: config.value,
      configSensitive: config.sensitive,
      lifecycle: keepingLifecycle(plan, one),
      ...(prior.state !== undefined && { prior: prior.state }),
      ...(forced !== undefined && { forceReplace: forced }),
      ...(prior.importing !== undefined && { importing: prior.importing }),
    },
    access.port,
    { signal: context.signal },
  )
  return take(context, plan, one, config, prior, planned)
}

/** The configuration of an instance and its fingerprint, or what is wrong with it. */
export function evaluateInstance(
  { ports }: PlanContext,
  { node, config, inputs, lifecycle, refersTo, access }: NodePlan,
  { instance, each }: PlannedOne,
): InstanceConfig | { readonly problem: string } {
  const scope = inputs.scope(instance, each)
  const { value, sensitive, problems } = config.evaluate(scope, new Meter(costLimitPerObject))
  const problem = shownProblem(problems)
  if (problem !== undefined) return { problem: problemText(problem) }
  const hash = (text: string) => ports.hash(text)
  const wishes = node.kind.data ? { ...lifecycle, preventDestroy: false } : lifecycle
  const fingerprint = fingerprintOf(value, wishes, refersTo, access, hash)
  return { value, sensitive, secrets: scope.secrets, used: scope.used(hash), fingerprint }
}

/** An instance as the rules know it. */
export function resourceInstance(
  { node, access }: NodePlan,
  address: string,
  secrets: readonly string[],
): ResourceInstance {
  const { provider, type, schema, identity } = node.kind
  return {
    address,
    provider,
    typeName: type,
    schema,
    capabilities: access.capabilities,
    secrets,
    ...(identity !== undefined && { identitySchema: identity }),
  }
}

/** Records that an instance can't be planned, or not yet, and why. */
export async function stopOne(
  { sink }: PlanContext,
  { node }: NodePlan,
  { instance }: PlannedOne,
  kind: 'blocked' | 'deferred',
  message: string,
  diagnostics: Parameters<typeof blockedRecord>[4] = [],
): Promise<InstancePlan> {
  const address = addressOf(node, instance)
  await sink.change({ node: node.place, instance, part: '' }, blockedRecord(node, address, kind, message, diagnostics))
  return { kind, message }
}

function forcedReplace({ request }: PlanContext, plan: NodePlan, { instance }: PlannedOne) {
  if (plan.triggered?.(instance)) return 'triggers'
  return request.replaces(plan.node.place, plan.node.kind, instance) ? 'request' : undefined
}

// An instance that was applied with `destroy: false` is forgotten, not destroyed, until another wish was applied.
function keepingLifecycle({ lifecycle }: NodePlan, { states }: PlannedOne): Lifecycle {
  return states?.current?.record.keep === true ? { ...lifecycle, destroy: false } : lifecycle
}

// What was settled with the same inputs, and nobody asked to look again.
function settled(
  { request }: PlanContext,
  { node }: NodePlan,
  { states }: PlannedOne,
  { fingerprint }: InstanceConfig,
  forced: boolean,
): InstancePlan | undefined {
  const seen = (states?.observed ?? states?.current)?.record
  if (seen === undefined || forced || request.refresh === 'All' || request.mode === 'RefreshOnly') return undefined
  if (seen.fingerprint !== fingerprint || seen.status !== 'ready') return undefined
  return { kind: 'same', output: () => outputOfRecord(node.kind.schema, seen) }
}

// What was read is what was applied, with the same inputs: nothing is to be done, as nothing was then.
function foundSettled(
  { request }: PlanContext,
  { node }: NodePlan,
  { states }: PlannedOne,
  { fingerprint }: InstanceConfig,
  { isAsApplied, state }: Prior,
): InstancePlan | undefined {
  const applied = states?.current?.record
  if (request.everything || !isAsApplied || state === undefined) return undefined
  if (applied?.fingerprint !== fingerprint || applied.status !== 'ready') return undefined
  return { kind: 'same', output: () => outputValue(node.kind.schema, state.value, state.sensitivePaths) }
}

// Whoever is replaced by creating first needs the same of all that it refers to.
async function contagious({ ports }: PlanContext, { node }: NodePlan, planned: PlannedChange): Promise<PlannedChange> {
  if (planned.action !== 'delete-then-create' || !(await ports.isForcedToCreateFirst(node.place))) return planned
  return { ...planned, action: 'create-then-delete' }
}

async function take(
  context: PlanContext,
  plan: NodePlan,
  one: PlannedOne,
  config: InstanceConfig,
  prior: Prior,
  planned: PlannedInstance,
): Promise<InstancePlan> {
  if (planned.kind === 'failed') {
    const diagnostics = shownDiagnostics(plan, config, planned)
    return stopOne(context, plan, one, 'blocked', diagnostics[0]?.summary ?? 'the provider refused', diagnostics)
  }
  if (planned.kind === 'deferred')
    return stopOne(context, plan, one, 'deferred', `the provider puts it off: ${planned.reason}`)
  const output = () => outputValue(plan.node.kind.schema, planned.after, planned.afterSensitive)
  const attributes = changedAttributes(plan.node.kind.schema, prior.settledValue, planned.after)
  if (planned.action === 'noop' && planned.importing === undefined)
    return { kind: 'same', output, ...settlementOf(plan, prior, one, config) }
  await record(context, plan, one, config, prior, await contagious(context, plan, planned))
  return { kind: 'changed', output, attributes, triggers: triggersOf(plan, planned) }
}

// What was put right outside counts here, though it is nothing new to those who use it.
function triggersOf({ node }: NodePlan, { action, before, after }: PlannedChange): readonly string[] {
  return triggersReplacement(action) ? ['*', ...changedAttributes(node.kind.schema, before, after)] : []
}

function settlementOf(
  { lifecycle, refersTo, access }: NodePlan,
  { slot, revision }: Prior,
  { instance, states }: PlannedOne,
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
  plan: NodePlan,
  { instance }: PlannedOne,
  config: InstanceConfig,
  prior: Prior,
  planned: PlannedChange,
): Promise<void> {
  await sink.change({ node: plan.node.place, instance, part: '' }, changeRecord(plan, instance, config, prior, planned))
}

// What differs outside is the change; accepting it changes nothing outside.
async function refreshOnly(context: PlanContext, plan: NodePlan, one: PlannedOne, prior: Prior): Promise<InstancePlan> {
  const { schema } = plan.node.kind
  const before = prior.appliedValue ?? null
  const after = prior.state?.value ?? null
  const output = () => outputValue(schema, after, prior.state?.sensitivePaths ?? [])
  if (prior.slot === 'current') return { kind: 'same', output }
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
  const place = { node: plan.node.place, instance: one.instance, part: '' }
  await context.sink.change(place, { ...change, work: { ...change.work!, accepts: true } })
  return { kind: 'changed', output, attributes: changedAttributes(schema, before, after), triggers: [] }
}
