import { impliedType, type Value, valueFromJson } from '@hykube/tfplugin/value'
import type { ShownDiagnostic } from './change-record.ts'
import type { PlanContext } from './context.ts'
import { hideSecrets } from './hide-secrets.ts'
import { importTargetOf } from './import-target.ts'
import type { NodePlan, PlannedOne, Prior } from './node-plan.ts'
import { shownDiagnostics } from './record-change.ts'
import { importState } from './rules/import-state.ts'
import type { InstanceState, ResourceInstance } from './rules/instance.ts'
import { type RefreshedState, refreshState } from './rules/refresh-state.ts'
import { sameValues } from './rules/same-values.ts'
import { upgradeState } from './rules/upgrade-state.ts'
import { goneRecord, isGone, type StateFacts, type StateRecord, stateToRecord, storedInstance } from './state-record.ts'

interface NoPrior {
  readonly kind: 'blocked' | 'deferred'
  readonly message: string
  readonly diagnostics: readonly ShownDiagnostic[]
}

/** Finds what a change starts from: what is kept, upgraded to the present schema, and read anew where that is wanted. */
export async function priorOf(
  context: PlanContext,
  plan: NodePlan,
  one: PlannedOne,
  instance: ResourceInstance,
): Promise<Prior | NoPrior> {
  const { current, observed } = one.states ?? {}
  if (current === undefined) return imported(context, plan, one, instance)
  const seen = observed ?? current
  const { schema } = plan.node.kind
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
  if (context.request.refresh === 'None' || one.believed)
    return { kind: 'prior', ...facts, ...(!isGone(seen.record) && { state: upgraded.state }) }
  return refreshed(context, plan, one, instance, upgraded.state, { ...facts, kind: 'prior' }, base.record)
}

async function refreshed(
  context: PlanContext,
  plan: NodePlan,
  one: PlannedOne,
  instance: ResourceInstance,
  known: InstanceState,
  prior: Prior,
  record: StateRecord,
): Promise<Prior | NoPrior> {
  const { sink, signal } = context
  const isConfirmed = await context.sweeps?.confirms(plan.access, plan.node, known)
  const read = isConfirmed ? unchanged(known) : await refreshState(instance, known, plan.access.port, { signal })
  if (read.kind === 'failed') return failed(plan, read)
  if (read.kind === 'deferred')
    return { kind: 'deferred', message: `the provider puts reading off: ${read.reason}`, diagnostics: [] }
  const { place } = plan.node
  const { appliedValue } = prior
  const isAsApplied =
    appliedValue !== undefined && read.state !== undefined && sameValues(appliedValue, read.state.value)
  if (isAsApplied) {
    if (prior.slot === 'current') return { ...prior, state: read.state!, isAsApplied }
    await sink.observed(place, one.instance, undefined)
    const { revision } = one.states!.current!
    return { ...prior, state: read.state!, slot: 'current', revision, isAsApplied }
  }
  if (read.drift === 'none' && prior.slot === 'observed') return { ...prior, state: read.state! }
  if (read.drift === 'gone' && prior.slot === 'observed' && prior.settledValue === null) return prior
  // It was brought to the present schema, so that whoever made it before does not matter any more.
  const facts: StateFacts = { ...record, package: plan.access.package, fingerprint: '' }
  const { identity } = plan.node.kind
  const seen =
    read.state === undefined ? goneRecord(facts) : stateToRecord(read.state, plan.node.kind.schema, identity, facts)
  const revision = await sink.observed(place, one.instance, seen)
  return {
    ...prior,
    slot: 'observed',
    ...(revision !== undefined && { revision }),
    ...(read.state !== undefined && { state: read.state }),
  }
}

/** Why nothing is imported that belongs to another object. */
export const managedElsewhere =
  'another object manages it already: to move it from there, use the annotation hykube.io/moved-from'

async function imported(
  context: PlanContext,
  plan: NodePlan,
  one: PlannedOne,
  instance: ResourceInstance,
): Promise<Prior | NoPrior> {
  const { place, kind, uid } = plan.node
  const target = importTargetOf(plan.node, one.instance)
  if (target?.kind === 'problem') return { kind: 'blocked', message: target.message, diagnostics: [] }
  if (target === undefined) {
    // Somebody thought better of an import.
    if (one.states?.observed !== undefined) await context.sink.observed(place, one.instance, undefined)
    return { kind: 'prior', slot: 'current' }
  }
  const found = await importState(instance, target, plan.access.port, { signal: context.signal })
  if (found.kind === 'failed') return failed(plan, found)
  if (found.kind === 'deferred')
    return { kind: 'deferred', message: `the provider puts the import off: ${found.reason}`, diagnostics: [] }
  const facts: StateFacts = {
    uid,
    type: kind.type,
    configuration: plan.access.configuration,
    package: plan.access.package,
    dependencies: plan.refersTo,
    fingerprint: '',
  }
  const record = stateToRecord(found.state, kind.schema, kind.identity, facts)
  if (await context.ports.isManagedElsewhere(place, kind, facts.configuration, record))
    return { kind: 'blocked', message: managedElsewhere, diagnostics: [] }
  const revision = await context.sink.observed(place, one.instance, record)
  return {
    kind: 'prior',
    state: found.state,
    slot: 'observed',
    importing: target,
    ...(revision !== undefined && { revision }),
  }
}

function unchanged(state: InstanceState): RefreshedState {
  return { kind: 'refreshed', drift: 'none', state, diagnostics: [], notes: [] }
}

function failed(plan: NodePlan, failure: Parameters<typeof shownDiagnostics>[2]): NoPrior {
  const diagnostics = shownDiagnostics(plan, undefined, failure)
  return { kind: 'blocked', message: diagnostics[0]?.summary ?? 'the provider failed', diagnostics }
}

function valueIn({ attributes }: StateRecord, schema: NodePlan['node']['kind']['schema']): Value {
  return valueFromJson(attributes, impliedType(schema.block))
}
