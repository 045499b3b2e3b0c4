import type { PlannedBatch } from './batch-settlement.ts'
import { addressOf, blockedRecord, openCallText } from './change-facts.ts'
import type { PlanContext } from './context.ts'
import type { InstanceStates, KnownState, NodeFacts } from './facts.ts'
import { hideSecrets } from './hide-secrets.ts'
import { lifecycleOf } from './lifecycle.ts'
import type { NodeOutcome } from './node-outcome.ts'
import { stop } from './obstacle.ts'
import type { ProviderAccess } from './ports.ts'
import { type FailedCall, failedCall } from './provider-failure.ts'
import { providerOf } from './provider-of.ts'
import { recordOf, shownDiagnostics, workOf } from './record-change.ts'
import type { ActionReason } from './rules/action.ts'
import type { Failure } from './rules/findings.ts'
import { defaultLifecycle, type InstanceState, type ResourceInstance } from './rules/instance.ts'
import { planDestroy } from './rules/plan-destroy.ts'
import type { PlannedChange } from './rules/planned-instance.ts'
import { refreshState } from './rules/refresh-state.ts'
import { upgradeState } from './rules/upgrade-state.ts'
import { goneRecord, isGone, type StateRecord, stateToRecord, storedInstance } from './state-record.ts'
import { type NodePlace, nodeToText } from './vocabulary/place.ts'

/** Plans that all of an object goes: because it was deleted, or because everything shall. */
export async function planGoing(context: PlanContext, node: NodeFacts): Promise<NodeOutcome> {
  const states = await context.ports.states(node.place)
  const [open] = (await context.ports.openCalls(node.place)).values()
  if (open !== undefined) return stop(context, node, { kind: 'blocked', message: openCallText(open) })
  if (states.length === 0) {
    if (node.deleting) await finishUnused(context, node.place)
    return { kind: 'going' }
  }
  return destroyAll(context, node, states, node.deleting ? 'delete_because_no_resource_config' : undefined)
}

/** Plans what is left of an object that somebody took away by force. */
export async function planOrphan(context: PlanContext, place: NodePlace): Promise<NodeOutcome> {
  const { ports, request, sink } = context
  const states: InstanceStates[] = []
  for (const each of await ports.states(place))
    if (isOutside(place, each)) states.push(each)
    else await sink.forgotten(place, each)
  const first = (states[0]?.current ?? states[0]?.observed ?? states[0]?.deposed[0])?.record
  if (first === undefined) {
    await finishUnused(context, place)
    return { kind: 'missing' }
  }
  const kind = ports.kinds.at(place.cluster, place.group, place.resource)
  if (kind === undefined) return { kind: 'missing' }
  const spec = first.configuration === '' ? {} : { provider: first.configuration }
  const node: NodeFacts = { place, kind, uid: first.uid, generation: 0, labels: {}, spec, deleting: true }
  if (!request.selects(node)) return { kind: 'missing' }
  return destroyAll(context, node, states, 'delete_because_no_resource_config')
}

/** Whether something outside belongs to an instance: not so for data sources, and for imports that were never applied. */
export function isOutside({ group }: NodePlace, { current, deposed }: InstanceStates): boolean {
  return !group.startsWith('data.') && (current !== undefined || deposed.length > 0)
}

/** What destroying needs to know of an object. */
export interface GoingNode {
  readonly node: NodeFacts
  readonly access: ProviderAccess
  /** How many instances stay. */
  readonly size?: number
  readonly batch?: PlannedBatch
}

/** Plans that one instance goes; gives what is in the way, if something is. */
export async function destroyInstance(
  context: PlanContext,
  going: GoingNode,
  states: InstanceStates,
  reason: ActionReason | undefined,
): Promise<string | undefined> {
  const { current, observed } = states
  let problem: string | undefined
  if (current !== undefined)
    problem = await destroyOne(
      context,
      going,
      states,
      observed ?? current,
      observed === undefined ? 'current' : 'observed',
      reason,
    )
  await destroyDeposed(context, going, states)
  return problem
}

/** Plans that what was left behind goes; tells whether there was something. */
export async function destroyDeposed(context: PlanContext, going: GoingNode, states: InstanceStates): Promise<boolean> {
  for (const deposed of states.deposed)
    await destroyOne(context, going, states, deposed, `deposed/${deposed.key}`, undefined)
  return states.deposed.length > 0
}

// Whoever refers to it is blocked as long as it does, and may be found by the mark of this object alone.
async function finishUnused({ ports, sink }: PlanContext, place: NodePlace): Promise<void> {
  if (!(await ports.isReferredTo(place))) await sink.finished(place)
}

async function destroyAll(
  context: PlanContext,
  node: NodeFacts,
  states: readonly InstanceStates[],
  reason: ActionReason | undefined,
): Promise<NodeOutcome> {
  const access = await providerOf(context, node)
  if ('problem' in access) return stop(context, node, { kind: 'blocked', message: access.problem })
  let blocked: string | undefined
  const isChosen = context.request.instancesOf(node)
  const chosen = isChosen === undefined ? states : states.filter(({ instance }) => isChosen(instance))
  if (chosen.length < states.length) await context.sink.leftOut(node.place)
  for (const each of chosen) blocked = (await destroyInstance(context, { node, access }, each, reason)) ?? blocked
  for await (const dependent of context.ports.madeFrom(node.place)) context.alsoVisit(dependent)
  return blocked === undefined ? { kind: 'going' } : { kind: 'blocked', message: blocked }
}

async function destroyOne(
  context: PlanContext,
  going: GoingNode,
  states: InstanceStates,
  known: KnownState,
  slot: string,
  reason: ActionReason | undefined,
): Promise<string | undefined> {
  const { sink } = context
  const { node, access, size, batch } = going
  const { instance } = states
  const part = slot.startsWith('deposed/') ? slot : ''
  const place = { node: node.place, instance, part }
  const address = addressOf(node, instance)
  const asked = await askToDestroy(context, going, describe(node, access, address), states, known, slot, reason)
  if (asked.kind === 'failed') {
    const { message, diagnostics } = asked
    await sink.change(place, blockedRecord(node, address, 'blocked', message, diagnostics))
    return message
  }
  const { seen, planned } = asked
  await sink.change(place, {
    ...recordOf(node, address, planned),
    work: {
      ...workOf(node, access, planned),
      stateRevision: seen.revision,
      ...(part === '' ? { priorSlot: seen.slot } : { deposed: slot.slice('deposed/'.length) }),
      inputs: [],
      refersTo: [],
      madeFrom: seen.isGone ? [] : known.record.dependencies,
      ...(size !== undefined && { instances: size }),
      ...(batch !== undefined && { batch }),
    },
  })
  return undefined
}

interface Asked {
  readonly kind: 'asked'
  readonly seen: Seen
  readonly planned: PlannedChange
}

async function askToDestroy(
  context: PlanContext,
  going: GoingNode,
  described: ResourceInstance,
  states: InstanceStates,
  known: KnownState,
  slot: string,
  reason: ActionReason | undefined,
): Promise<Asked | (FailedCall & { readonly kind: 'failed' })> {
  const { node, access } = going
  try {
    const seen = await lookedAt(context, going, described, states, known, slot)
    if (seen.kind === 'failed') return refused(node, seen)
    hideSecrets(access, node.kind.schema, seen.prior.value, seen.prior.sensitivePaths)
    // What is gone already can only be forgotten.
    const lifecycle = seen.isGone ? { preventDestroy: false, destroy: false } : saferLifecycle(node, known.record, slot)
    const input = { ...described, prior: seen.prior, lifecycle, ...(reason !== undefined && { reason }) }
    const planned = await planDestroy(input, access.port, { signal: context.signal })
    return planned.kind === 'failed' ? refused(node, planned) : { kind: 'asked', seen, planned }
  } catch (error) {
    return { kind: 'failed', ...failedCall(context, error) }
  }
}

// What is written counts at once where it is safer than what was applied; what is less safe counts when it was applied. An object that
// a replacement left behind is not the one that the specification describes.
function saferLifecycle({ spec }: NodeFacts, { preventDestroy, keep }: StateRecord, slot: string) {
  const written = slot.startsWith('deposed/') ? defaultLifecycle : lifecycleOf(spec)
  return {
    preventDestroy: preventDestroy === true || written.preventDestroy,
    destroy: keep !== true && written.destroy,
  }
}

function refused(node: NodeFacts, failure: Failure): FailedCall & { readonly kind: 'failed' } {
  const diagnostics = shownDiagnostics({ node }, undefined, failure)
  const message = diagnostics[0]?.detail ?? diagnostics[0]?.summary ?? 'the provider refused'
  return { kind: 'failed', message, diagnostics }
}

function describe({ kind }: NodeFacts, { capabilities, secrets }: ProviderAccess, address: string): ResourceInstance {
  const { provider, type: typeName, schema, identity } = kind
  return {
    address,
    provider,
    typeName,
    schema,
    capabilities,
    secrets,
    ...(identity !== undefined && { identitySchema: identity }),
  }
}

interface Seen {
  readonly kind: 'seen'
  readonly prior: InstanceState
  readonly isGone: boolean
  readonly slot: 'current' | 'observed'
  readonly revision: number
}

// What is known, and read anew where this plan reads: what goes is shown as it is.
async function lookedAt(
  context: PlanContext,
  { node, access }: GoingNode,
  described: ResourceInstance,
  { instance, current }: InstanceStates,
  known: KnownState,
  slot: string,
): Promise<Seen | Failure> {
  const { sink, signal } = context
  const wasGone = isGone(known.record)
  const base = wasGone ? current! : known
  const samePackage = base.record.package === access.package
  const upgraded = await upgradeState(described, storedInstance(base.record), access.port, { signal, samePackage })
  if (upgraded.kind === 'failed') return upgraded
  const own = slot === 'observed' ? 'observed' : 'current'
  const seen: Seen = { kind: 'seen', prior: upgraded.state, isGone: wasGone, slot: own, revision: known.revision }
  if (slot.startsWith('deposed/') || !isRead(context, node)) return seen
  const read = await refreshState(described, upgraded.state, access.port, { signal })
  if (read.kind !== 'refreshed' || (read.drift === 'none' && !wasGone) || (read.drift === 'gone' && wasGone))
    return read.kind === 'failed' ? read : seen
  const facts = { ...base.record, fingerprint: '' }
  const { schema, identity } = node.kind
  const record = read.state === undefined ? goneRecord(facts) : stateToRecord(read.state, schema, identity, facts)
  const revision = await sink.observed(node.place, instance, record)
  return {
    kind: 'seen',
    prior: read.state ?? upgraded.state,
    isGone: read.state === undefined,
    slot: 'observed',
    revision: revision ?? known.revision,
  }
}

function isRead({ request, isMarked }: PlanContext, { place, deleting }: NodeFacts): boolean {
  if (request.refresh !== 'Changed') return request.refresh === 'All'
  return deleting || isMarked(nodeToText(place))
}
