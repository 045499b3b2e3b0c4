import type { PlanDiagnostic } from '@hykube/machinery/plan-api'
import { impliedType } from '@hykube/tfplugin/schema'
import { type Value, valueFromJson } from '@hykube/tfplugin/value'
import { changedAttributes, hideSecrets, managedElsewhere, shownDiagnostics } from '../../evaluation/index.ts'
import type { InstanceState } from '../../model/index.ts'
import {
  goneRecord,
  isGone,
  type StateFacts,
  type StateRecord,
  stateToRecord,
  storedInstance,
} from '../../model/index.ts'
import type { ResourceInstance } from '../../terraform/index.ts'
import { importState, type RefreshedState, refreshState, sameValues, upgradeState } from '../../terraform/index.ts'
import type { PlanContext } from '../context.ts'
import type { InstanceToPlan, ObjectPlan, Prior } from '../object-plan.ts'
import { importTargetOf } from './import-target.ts'
import { judgeDrift, type Wanted } from './judge-drift.ts'

interface NoPrior {
  readonly kind: 'blocked' | 'deferred'
  readonly message: string
  readonly diagnostics: readonly PlanDiagnostic[]
}

/** Finds the prior state of an instance: the stored state, upgraded to the current schema and refreshed if the plan asks for it, or an import. */
export async function priorOf(
  context: PlanContext,
  plan: ObjectPlan,
  one: InstanceToPlan,
  instance: ResourceInstance,
  wanted: Wanted,
): Promise<Prior | NoPrior> {
  const { current, observed } = one.states ?? {}
  if (current === undefined) return imported(context, plan, one, instance)
  const seen = observed ?? current
  const { schema } = plan.object.kind
  const appliedValue = valueIn(current.record, schema)
  const settledValue = isGone(seen.record) ? null : seen === current ? appliedValue : valueIn(seen.record, schema)
  const base = isGone(seen.record) ? current : seen
  const facts = {
    slot: observed === undefined ? ('current' as const) : ('observed' as const),
    revision: seen.revision,
    settledValue,
    madeFrom: seen.record.dependencies,
    appliedValue,
    ...(current.record.movedFrom !== undefined && { movedFrom: current.record.movedFrom }),
  }
  const options = { signal: context.signal, samePackage: base.record.package === plan.access.package }
  const stored = storedInstance(base.record, base === seen ? settledValue : appliedValue)
  const upgraded = await upgradeState(instance, stored, plan.access.port, options)
  if (upgraded.kind === 'failed') return failed(plan, upgraded)
  hideSecrets(plan.access, schema, upgraded.state.value, upgraded.state.sensitivePaths)
  if (context.request.refresh === 'None' || one.skipsRefresh)
    return { kind: 'prior', ...facts, ...(!isGone(seen.record) && { state: upgraded.state }) }
  return refreshed(context, plan, one, instance, wanted, upgraded.state, { ...facts, kind: 'prior' }, base.record)
}

async function refreshed(
  context: PlanContext,
  plan: ObjectPlan,
  one: InstanceToPlan,
  instance: ResourceInstance,
  wanted: Wanted,
  known: InstanceState,
  prior: Prior,
  record: StateRecord,
): Promise<Prior | NoPrior> {
  const { sink, signal } = context
  const isConfirmed = await context.listings?.confirms(plan.access, plan.object, known)
  const read = isConfirmed ? unchanged(known) : await refreshState(instance, known, plan.access.port, { signal })
  if (read.kind === 'failed') return failed(plan, read)
  if (read.kind === 'deferred')
    return { kind: 'deferred', message: `the provider deferred the read: ${read.reason}`, diagnostics: [] }
  const { ref } = plan.object
  const { appliedValue } = prior
  const changed = () => changedAttributes(plan.object.kind.schema, prior.settledValue, read.state?.value ?? null)
  const isAsApplied =
    appliedValue !== undefined && read.state !== undefined && sameValues(appliedValue, read.state.value)
  if (isAsApplied) {
    if (prior.slot === 'current') return { ...prior, state: read.state!, isAsApplied }
    await sink.observed(ref, one.instance, undefined, changed)
    const { revision } = one.states!.current!
    return { ...prior, state: read.state!, slot: 'current', revision, isAsApplied }
  }
  sink.differs(ref)
  if (read.drift === 'gone' && prior.slot === 'observed' && prior.settledValue === null) return prior
  const isKnown = read.drift === 'none' && prior.slot === 'observed'
  // The verdict follows from the configuration too, so it holds as long as that is what the instance was settled with.
  if (isKnown && record.drift !== undefined && record.fingerprint === wanted.config.fingerprint)
    return { ...prior, state: read.state!, drift: record.drift }
  const judged =
    read.state === undefined || appliedValue === undefined
      ? undefined
      : await judgeDrift(context, plan, instance, wanted, appliedValue, read.state)
  if (isKnown && sameNames(judged?.drift, record.drift)) return { ...prior, state: read.state!, ...judged }
  // The value was upgraded to the current schema, so the current package counts as its writer.
  const { drift: _, ...others } = record
  const facts: StateFacts = { ...others, package: plan.access.package, fingerprint: '' }
  const { identity } = plan.object.kind
  const seen =
    read.state === undefined
      ? goneRecord(facts)
      : {
          ...stateToRecord(read.state, plan.object.kind.schema, identity, facts),
          ...(judged && { drift: judged.drift }),
        }
  const revision = await sink.observed(ref, one.instance, seen, changed)
  return {
    ...prior,
    slot: 'observed',
    ...judged,
    ...(revision !== undefined && { revision }),
    ...(read.state !== undefined && { state: read.state }),
  }
}

function sameNames(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a?.join() === b?.join()
}

async function imported(
  context: PlanContext,
  plan: ObjectPlan,
  one: InstanceToPlan,
  instance: ResourceInstance,
): Promise<Prior | NoPrior> {
  const { ref, kind, uid } = plan.object
  const target = importTargetOf(plan.object, one.instance)
  if (target?.kind === 'problem') return { kind: 'blocked', message: target.message, diagnostics: [] }
  if (target === undefined) {
    // The import annotation was removed, so the state of the earlier import is deleted.
    if (one.states?.observed !== undefined) await context.sink.observed(ref, one.instance, undefined, nothing)
    return { kind: 'prior', slot: 'current' }
  }
  const found = await importState(instance, target, plan.access.port, { signal: context.signal })
  if (found.kind === 'failed') return failed(plan, found)
  if (found.kind === 'deferred')
    return { kind: 'deferred', message: `the provider deferred the import: ${found.reason}`, diagnostics: [] }
  const facts: StateFacts = {
    uid,
    type: kind.type,
    configuration: plan.access.configuration,
    package: plan.access.package,
    dependencies: plan.refersTo,
    fingerprint: '',
  }
  const record = stateToRecord(found.state, kind.schema, kind.identity, facts)
  if (await context.ports.isManagedElsewhere(ref, kind, facts.configuration, record))
    return { kind: 'blocked', message: managedElsewhere, diagnostics: [] }
  const revision = await context.sink.observed(ref, one.instance, record, nothing)
  return {
    kind: 'prior',
    state: found.state,
    slot: 'observed',
    importing: target,
    ...(revision !== undefined && { revision }),
  }
}

const nothing = (): readonly string[] => []

function unchanged(state: InstanceState): RefreshedState {
  return { kind: 'refreshed', drift: 'none', state, diagnostics: [], notes: [] }
}

function failed(plan: ObjectPlan, failure: Parameters<typeof shownDiagnostics>[2]): NoPrior {
  const diagnostics = shownDiagnostics(plan, undefined, failure)
  return { kind: 'blocked', message: diagnostics[0]?.summary ?? 'the provider failed', diagnostics }
}

function valueIn({ attributes }: StateRecord, schema: ObjectPlan['object']['kind']['schema']): Value {
  return valueFromJson(attributes, impliedType(schema.block))
}
