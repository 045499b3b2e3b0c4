import { addressOf } from './change-facts.ts'
import type { PlanContext } from './context.ts'
import { hideConfigured } from './hide-secrets.ts'
import type { InstanceConfig, InstancePlan, NodePlan, PlannedOne } from './node-plan.ts'
import { changedAttributes, outputOfRecord, outputValue } from './outputs.ts'
import { evaluateInstance, resourceInstance, stopOne } from './plan-one.ts'
import { changeRecord, shownDiagnostics } from './record-change.ts'
import { type DataInput, planDataSource, readDataSource } from './rules/data-source.ts'
import type { PlannedChange } from './rules/planned-instance.ts'
import { publicAttributes } from './rules/public-attributes.ts'
import { stateToRecord } from './state-record.ts'

/** Reads one instance of a data source, at once where that can be, or when the plan is applied. */
export async function planDataInstance(context: PlanContext, plan: NodePlan, one: PlannedOne): Promise<InstancePlan> {
  const { node, access } = plan
  const config = evaluateInstance(context, plan, one)
  if ('problem' in config) return stopOne(context, plan, one, 'blocked', config.problem)
  const known = plan.dependencyPending ? undefined : one.states?.current
  if (known !== undefined && known.record.fingerprint === config.fingerprint && context.request.refresh !== 'All')
    return { kind: 'same', output: () => outputOfRecord(node.kind.schema, known.record) }
  const input: DataInput = {
    ...resourceInstance(plan, addressOf(node, one.instance), hideConfigured(access, node.kind.schema, config)),
    config: config.value,
    configSensitive: config.sensitive,
    dependencyPending: plan.dependencyPending,
  }
  const decision = planDataSource(input)
  if (decision.kind === 'planned') {
    const prior = { kind: 'prior', slot: 'current' } as const
    const place = { node: node.place, instance: one.instance, part: '' }
    await context.sink.change(place, changeRecord(plan, one.instance, config, prior, decision))
    const output = () => outputValue(node.kind.schema, decision.after, decision.afterSensitive)
    const attributes = changedAttributes(node.kind.schema, undefined, decision.after)
    return { kind: 'changed', output, attributes, triggers: [] }
  }
  const read = await readDataSource(input, access.port, { signal: context.signal })
  if (read.kind === 'deferred')
    return stopOne(context, plan, one, 'deferred', `the provider puts it off: ${read.reason}`)
  if (read.kind === 'failed') {
    const diagnostics = shownDiagnostics(plan, config, read)
    return stopOne(context, plan, one, 'blocked', diagnostics[0]?.summary ?? 'the provider refused', diagnostics)
  }
  const answered = { ...config, sensitive: read.sensitive }
  if (access.runsCommands === true) await listRead(context, plan, one, answered, read.value)
  return keep(context, plan, one, answered, read.value)
}

// A read that ran a user's command is listed like any other change, with its outcome: there is nothing left to apply.
async function listRead(
  { sink }: PlanContext,
  plan: NodePlan,
  { instance }: PlannedOne,
  config: InstanceConfig,
  after: PlannedChange['after'],
): Promise<void> {
  const planned: PlannedChange = {
    kind: 'planned',
    action: 'read',
    before: null,
    after,
    plannedPrivate: new Uint8Array(0),
    requiredReplace: [],
    beforeSensitive: [],
    afterSensitive: config.sensitive,
    diagnostics: [],
    notes: [],
  }
  const record = changeRecord(plan, instance, config, { kind: 'prior', slot: 'current' }, planned)
  await sink.readAlready({ node: plan.node.place, instance, part: '' }, record)
}

async function keep(
  { sink }: PlanContext,
  { node, access, refersTo }: NodePlan,
  { instance, states }: PlannedOne,
  { sensitive, fingerprint }: InstanceConfig,
  value: Parameters<typeof outputValue>[1],
): Promise<InstancePlan> {
  const { schema, type } = node.kind
  const before = states?.current === undefined ? undefined : outputOfRecord(schema, states.current.record).value
  const attributes = changedAttributes(schema, before, value)
  const state = {
    value,
    private: new Uint8Array(0),
    schemaVersion: schema.version,
    status: 'ready' as const,
    sensitivePaths: sensitive,
  }
  const facts = {
    uid: node.uid,
    type,
    configuration: access.configuration,
    package: access.package,
    dependencies: refersTo,
    fingerprint,
  }
  const shown = publicAttributes(schema, value, sensitive)
  await sink.read(node.place, instance, stateToRecord(state, schema, undefined, facts), attributes, shown)
  return { kind: 'read', output: () => outputValue(schema, value, sensitive), attributes }
}
