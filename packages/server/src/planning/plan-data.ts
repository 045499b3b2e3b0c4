import type { InstanceConfig } from '../evaluation/index.ts'
import {
  changedAttributes,
  hideConfigured,
  outputOfRecord,
  outputValue,
  resourceInstance,
  shownDiagnostics,
} from '../evaluation/index.ts'
import { addressOf, stateToRecord } from '../model/index.ts'
import type { PlannedChange } from '../terraform/index.ts'
import { type DataInput, planDataSource, publicAttributes, readDataSource } from '../terraform/index.ts'
import type { PlanContext } from './context.ts'
import { blockInstance, evaluateInstance } from './instances/plan-managed-instance.ts'
import type { InstancePlan, InstanceToPlan, ObjectPlan } from './object-plan.ts'
import { changeRecord } from './record-change.ts'

/** Plans one instance of a data source: reads it while planning if possible, otherwise plans a read. */
export async function planDataInstance(
  context: PlanContext,
  plan: ObjectPlan,
  one: InstanceToPlan,
): Promise<InstancePlan> {
  const { object, access } = plan
  const config = evaluateInstance(context, plan, one)
  if ('problem' in config) return blockInstance(context, plan, one, 'blocked', config.problem)
  const known = plan.dependencyPending ? undefined : one.states?.current
  if (known !== undefined && known.record.fingerprint === config.fingerprint && context.request.refresh !== 'All')
    return { kind: 'same', output: () => outputOfRecord(object.kind.schema, known.record) }
  const input: DataInput = {
    ...resourceInstance(
      object.kind,
      { capabilities: access.capabilities, secrets: hideConfigured(access, object.kind.schema, config) },
      addressOf(object, one.instance),
    ),
    config: config.value,
    configSensitive: config.sensitive,
    dependencyPending: plan.dependencyPending,
  }
  const decision = planDataSource(input)
  if (decision.kind === 'planned') {
    const prior = { kind: 'prior', slot: 'current' } as const
    const target = { ref: object.ref, instance: one.instance, part: '' }
    await context.sink.change(target, changeRecord(plan, one.instance, config, prior, decision))
    const output = () => outputValue(object.kind.schema, decision.after, decision.afterSensitive)
    const attributes = changedAttributes(object.kind.schema, undefined, decision.after)
    return { kind: 'changed', output, attributes, triggers: [] }
  }
  const read = await readDataSource(input, access.port, { signal: context.signal })
  if (read.kind === 'deferred')
    return blockInstance(context, plan, one, 'deferred', `the provider deferred it: ${read.reason}`)
  if (read.kind === 'failed') {
    const diagnostics = shownDiagnostics(plan, config, read)
    return blockInstance(
      context,
      plan,
      one,
      'blocked',
      diagnostics[0]?.summary ?? 'the provider rejected it',
      diagnostics,
    )
  }
  const answered = { ...config, sensitive: read.sensitive }
  if (access.runsCommands === true) await listRead(context, plan, one, answered, read.value)
  return keep(context, plan, one, answered, read.value)
}

// A read that ran a user's command is listed as a change with its outcome, so that reviewers see the command.
async function listRead(
  { sink }: PlanContext,
  plan: ObjectPlan,
  { instance }: InstanceToPlan,
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
  await sink.completedRead({ ref: plan.object.ref, instance, part: '' }, record)
}

async function keep(
  { sink }: PlanContext,
  { object, access, refersTo }: ObjectPlan,
  { instance, states }: InstanceToPlan,
  { sensitive, fingerprint }: InstanceConfig,
  value: Parameters<typeof outputValue>[1],
): Promise<InstancePlan> {
  const { schema, type } = object.kind
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
    uid: object.uid,
    type,
    configuration: access.configuration,
    package: access.package,
    dependencies: refersTo,
    fingerprint,
  }
  const shown = publicAttributes(schema, value, sensitive)
  await sink.read(object.ref, instance, stateToRecord(state, schema, undefined, facts), attributes, shown)
  return { kind: 'read', output: () => outputValue(schema, value, sensitive), attributes }
}
