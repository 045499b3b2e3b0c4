import type { ProviderAccess } from '../evaluation/index.ts'
import { hideSecrets, lifecycleOf, resourceInstance, shownDiagnostics } from '../evaluation/index.ts'
import type { PlannedBatch } from '../model/index.ts'
import {
  addressOf,
  defaultLifecycle,
  goneRecord,
  hasRealResource,
  type InstanceState,
  type InstanceStates,
  isGone,
  type KnownState,
  openCallText,
  type ResourceObject,
  type ResourceRef,
  refToText,
  type StateRecord,
  stateToRecord,
  storedInstance,
} from '../model/index.ts'
import type { ActionReason, Failure, PlannedChange, ResourceInstance } from '../terraform/index.ts'
import { planDestroy, refreshState, upgradeState } from '../terraform/index.ts'
import { blockedRecord } from './change-facts.ts'
import type { PlanContext } from './context.ts'
import type { ObjectOutcome } from './object-outcome.ts'
import { blockObject } from './obstacle.ts'
import { type FailedCall, failedCall } from './provider-failure.ts'
import { providerOf } from './provider-of.ts'
import { recordOf, workOf } from './record-change.ts'

/** Plans the destruction of all instances of an object that was deleted, or in a plan with mode Destroy. */
export async function planDestruction(context: PlanContext, object: ResourceObject): Promise<ObjectOutcome> {
  const states = await context.ports.states(object.ref)
  const [open] = await context.ports.openCalls(object.ref)
  if (open !== undefined) {
    const [instance, plan] = open
    const message = openCallText(JSON.stringify(plan), addressOf(object, instance), object.ref.namespace)
    return blockObject(context, object, { kind: 'blocked', message })
  }
  if (states.length === 0) {
    if (object.deleting) await finishUnused(context, object.ref)
    return { kind: 'destroyed' }
  }
  return destroyAll(context, object, states, object.deleting ? 'delete_because_no_resource_config' : undefined)
}

/** Plans the destruction of resources whose object was removed by force. */
export async function planOrphan(context: PlanContext, ref: ResourceRef): Promise<ObjectOutcome> {
  const { ports, request, sink } = context
  const states: InstanceStates[] = []
  for (const each of await ports.states(ref))
    if (hasRealResource(ref, each)) states.push(each)
    else await sink.forgotten(ref, each)
  const first = (states[0]?.current ?? states[0]?.observed ?? states[0]?.deposed[0])?.record
  if (first === undefined) {
    await finishUnused(context, ref)
    return { kind: 'missing' }
  }
  const kind = ports.kinds.at(ref.cluster, ref.group, ref.resource)
  if (kind === undefined) return { kind: 'missing' }
  const spec = first.configuration === '' ? {} : { provider: first.configuration }
  const object: ResourceObject = { ref, kind, uid: first.uid, generation: 0, labels: {}, spec, deleting: true }
  if (!(await request.selects(object))) return { kind: 'missing' }
  return destroyAll(context, object, states, 'delete_because_no_resource_config')
}

/** The object and provider of a destruction. */
export interface DestructionInput {
  readonly object: ResourceObject
  readonly access: ProviderAccess
  /** The desired number of remaining instances. */
  readonly size?: number
  readonly batch?: PlannedBatch
}

/** Plans the destruction of one instance. Returns why it is blocked; undefined when it isn't. */
export async function destroyInstance(
  context: PlanContext,
  going: DestructionInput,
  states: InstanceStates,
  reason: ActionReason | undefined,
): Promise<string | undefined> {
  const { current, observed } = states
  let problem: string | undefined
  if (current !== undefined)
    problem = await destroySlot(
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

/** Plans the destruction of an instance's deposed resources. Returns true when there are any. */
export async function destroyDeposed(
  context: PlanContext,
  going: DestructionInput,
  states: InstanceStates,
): Promise<boolean> {
  for (const deposed of states.deposed)
    await destroySlot(context, going, states, deposed, `deposed/${deposed.key}`, undefined)
  return states.deposed.length > 0
}

// While other objects refer to it, its mark must stay: the mark is how the next plan finds those blocked objects.
async function finishUnused({ ports, sink }: PlanContext, ref: ResourceRef): Promise<void> {
  if (!(await ports.isReferredTo(ref))) await sink.finished(ref)
}

async function destroyAll(
  context: PlanContext,
  object: ResourceObject,
  states: readonly InstanceStates[],
  reason: ActionReason | undefined,
): Promise<ObjectOutcome> {
  const access = await providerOf(context, object)
  if ('problem' in access) return blockObject(context, object, { kind: 'blocked', message: access.problem })
  let blocked: string | undefined
  const isChosen = context.request.instancesOf(object)
  const chosen = isChosen === undefined ? states : states.filter(({ instance }) => isChosen(instance))
  if (chosen.length < states.length) await context.sink.exclude(object.ref)
  for (const each of chosen) blocked = (await destroyInstance(context, { object, access }, each, reason)) ?? blocked
  for await (const dependent of context.ports.madeFrom(object.ref)) context.alsoVisit(dependent)
  return blocked === undefined ? { kind: 'destroyed' } : { kind: 'blocked', message: blocked }
}

async function destroySlot(
  context: PlanContext,
  going: DestructionInput,
  states: InstanceStates,
  known: KnownState,
  slot: string,
  reason: ActionReason | undefined,
): Promise<string | undefined> {
  const { sink } = context
  const { object, access, size, batch } = going
  const { instance } = states
  const part = slot.startsWith('deposed/') ? slot : ''
  const target = { ref: object.ref, instance, part }
  const address = addressOf(object, instance)
  const asked = await askToDestroy(
    context,
    going,
    resourceInstance(object.kind, access, address),
    states,
    known,
    slot,
    reason,
  )
  if (asked.kind === 'failed') {
    const { message, diagnostics } = asked
    await sink.change(target, blockedRecord(object, address, 'blocked', message, diagnostics))
    return message
  }
  const { seen, planned } = asked
  await sink.change(target, {
    ...recordOf(object, address, planned),
    work: {
      ...workOf(object, access, planned),
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
  going: DestructionInput,
  described: ResourceInstance,
  states: InstanceStates,
  known: KnownState,
  slot: string,
  reason: ActionReason | undefined,
): Promise<Asked | (FailedCall & { readonly kind: 'failed' })> {
  const { object, access } = going
  try {
    const seen = await readPrior(context, going, described, states, known, slot)
    if (seen.kind === 'failed') return refused(object, seen)
    hideSecrets(access, object.kind.schema, seen.prior.value, seen.prior.sensitivePaths)
    // A resource that no longer exists can only be forgotten.
    const lifecycle = seen.isGone
      ? { preventDestroy: false, destroy: false }
      : saferLifecycle(object, known.record, slot)
    const input = { ...described, prior: seen.prior, lifecycle, ...(reason !== undefined && { reason }) }
    const planned = await planDestroy(input, access.port, { signal: context.signal })
    return planned.kind === 'failed' ? refused(object, planned) : { kind: 'asked', seen, planned }
  } catch (error) {
    return { kind: 'failed', ...failedCall(context, error) }
  }
}

// Combines the applied and the written lifecycle: stricter settings of the spec count at once, weaker ones only after they are applied. The
// spec doesn't describe a deposed resource.
function saferLifecycle({ spec }: ResourceObject, { preventDestroy, keep }: StateRecord, slot: string) {
  const written = slot.startsWith('deposed/') ? defaultLifecycle : lifecycleOf(spec)
  return {
    preventDestroy: preventDestroy === true || written.preventDestroy,
    destroy: keep !== true && written.destroy,
  }
}

function refused(object: ResourceObject, failure: Failure): FailedCall & { readonly kind: 'failed' } {
  const diagnostics = shownDiagnostics({ object }, undefined, failure)
  const message = diagnostics[0]?.detail ?? diagnostics[0]?.summary ?? 'the provider rejected it'
  return { kind: 'failed', message, diagnostics }
}

interface Seen {
  readonly kind: 'seen'
  readonly prior: InstanceState
  readonly isGone: boolean
  readonly slot: 'current' | 'observed'
  readonly revision: number
}

// Returns the stored state, refreshed if this plan refreshes, so that the plan shows the actual values of what it destroys.
async function readPrior(
  context: PlanContext,
  { object, access }: DestructionInput,
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
  if (slot.startsWith('deposed/') || !isRead(context, object)) return seen
  const read = await refreshState(described, upgraded.state, access.port, { signal })
  if (read.kind !== 'refreshed' || (read.drift === 'none' && !wasGone) || (read.drift === 'gone' && wasGone))
    return read.kind === 'failed' ? read : seen
  const { drift: _, ...others } = base.record
  const facts = { ...others, fingerprint: '' }
  const { schema, identity } = object.kind
  const record =
    read.state === undefined
      ? goneRecord(facts)
      : // Nothing is planned that would undo the difference.
        { ...stateToRecord(read.state, schema, identity, facts), drift: [] }
  const revision = await sink.observed(object.ref, instance, record, () => [])
  return {
    kind: 'seen',
    prior: read.state ?? upgraded.state,
    isGone: read.state === undefined,
    slot: 'observed',
    revision: revision ?? known.revision,
  }
}

function isRead({ request, isMarked }: PlanContext, { ref, deleting }: ResourceObject): boolean {
  if (request.refresh !== 'Changed') return request.refresh === 'All'
  return deleting || isMarked(refToText(ref))
}
