import { type KubernetesObject, withoutFinalizer } from '@hykube/machinery/object'
import type { ChangedInstance, IntentDraft, OutcomeDraft, WorkOrder } from '../model/index.ts'
import { managedFinalizer } from '../provider/index.ts'
import type { ObjectChange } from '../resource/index.ts'
import { maximumValueBytes } from '../storage/index.ts'
import type { ObjectSource } from './object-source.ts'
import { type ConditionFacts, type ResourceStatus, type StatusChange, withStatus } from './object-status.ts'
import { importAnnotation, importIdentityAnnotation } from './write-index.ts'

/** Returns the write of an object for the outcome of a change: its status, or its removal when it was deleted and has no resource any more. */
export function settledObject(
  { ref, instance }: ChangedInstance,
  { stored, object }: ObjectSource,
  draft: IntentDraft,
  outcome: OutcomeDraft,
  isLast: boolean,
  now: number,
): ObjectChange[] {
  const work = draft.change.record.work!
  if (object.metadata?.uid !== work.uid) return []
  const change = { resource: ref, place: ref, before: stored, beforeObject: object, tag: stored.tag }
  const half = destroyedHalf(draft, outcome)
  const isGone = draft.step === 'delete' && half !== 'first'
  const next = isLast ? withoutManaged(isGone ? withoutImport(object) : object) : object
  if (next.metadata?.deletionTimestamp != null && (next.metadata.finalizers?.length ?? 0) === 0)
    return [{ ...change, after: undefined, final: next }]
  // The status of a batch is written once for all instances, at the end of the plan.
  if (instance !== undefined) return next === object ? [] : [{ ...change, after: next }]
  if (half === 'last') return []
  const set = half === 'first' ? unreplaced : statusOf(draft, outcome, work, next)
  // The spec was edited while the plan was applied, so Applied stays as the edit left it.
  const isEdited = object.metadata?.generation !== work.generation
  const conditions = isEdited ? set.conditions.filter(({ type }) => type !== 'Applied') : set.conditions
  return [{ ...change, after: withStatus(next, { ...set, conditions }, now) }]
}

// Returns which half of a replacement has destroyed or forgotten the old resource. If it is the last one, the status describes the new
// resource already. If it is the first one, the object has no resource until the creation is applied, which may never happen.
function destroyedHalf({ step, change: { record } }: IntentDraft, { outcome }: OutcomeDraft) {
  if (record.action !== 'replace' || step !== 'delete' || outcome.result !== 'applied') return undefined
  return record.order === 'create-first' ? 'last' : 'first'
}

// Removes the import annotations with the resource they named, so that the next plan creates a new one instead of importing.
function withoutImport(object: KubernetesObject): KubernetesObject {
  const {
    [importAnnotation]: id,
    [importIdentityAnnotation]: identity,
    ...annotations
  } = object.metadata?.annotations ?? {}
  return id === undefined && identity === undefined
    ? object
    : { ...object, metadata: { ...object.metadata, annotations } }
}

/** Removes the finalizer of an object without a real resource. */
export function withoutManaged(object: KubernetesObject): KubernetesObject {
  const { finalizers, ...metadata } = object.metadata ?? {}
  const kept = withoutFinalizer(finalizers, managedFinalizer) ?? []
  return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) } }
}

function statusOf(
  { step, change: { target, record: change } }: IntentDraft,
  { outcome, record, attributes: all }: OutcomeDraft,
  work: WorkOrder,
  object: KubernetesObject,
): StatusChange {
  const applied = outcome.result === 'applied'
  const attributes = all === undefined ? undefined : shownAttributes(all(), record, object)
  if (step === 'delete' && target.part === '' && applied && record === undefined)
    return { attributes: undefined, observedGeneration: work.generation, conditions: destroyedConditions }
  if (applied && target.part !== '') return { conditions: [] }
  if (applied && work.accepts) return { attributes, conditions: acceptedConditions }
  if (applied)
    return { attributes, instances: undefined, observedGeneration: work.generation, conditions: appliedConditions }
  // A failed destruction is about the old resource; after a create-first replacement the attributes describe the new one.
  const isOld = target.part !== '' || (step === 'delete' && change.order === 'create-first')
  const conditions = failedConditions(outcome.message ?? '')
  return { ...(attributes !== undefined && !isOld && { attributes }), conditions }
}

/** Returns the attributes that fit into the status of an object. */
export function shownAttributes(
  attributes: Readonly<Record<string, unknown>>,
  record: OutcomeDraft['record'],
  object: KubernetesObject,
): Readonly<Record<string, unknown>> {
  if (record === undefined || record.attributes.length <= mostOfOne) return attributes
  const others = Buffer.byteLength(JSON.stringify({ ...object, status: undefined }))
  const mostShown = Math.min(1 << 20, maximumValueBytes - others - roomForConditions)
  if (record.attributes.length <= mostShown) return attributes
  let shown = 0
  const fits = ([, value]: [string, unknown]) => {
    const size = Buffer.byteLength(JSON.stringify(value))
    if (size > mostOfOne || shown + size > mostShown) return false
    shown += size
    return true
  }
  return Object.fromEntries(Object.entries(attributes).filter(fits))
}

// Bytes of a single attribute in the status of a large object.
const mostOfOne = 1 << 16
// Kubernetes' limit for the message of a condition.
const mostOfMessage = 32_768
// Bytes reserved for conditions and attribute names.
const roomForConditions = 1 << 18

const appliedConditions: readonly ConditionFacts[] = [
  { type: 'Ready', status: 'True', reason: 'Applied', message: 'the last apply succeeded' },
  { type: 'Applied', status: 'True', reason: 'Applied', message: 'this generation was applied' },
  { type: 'Drifted', status: 'False', reason: 'Applied', message: '' },
  { type: 'Stalled', status: 'False', reason: 'Applied', message: '' },
]

const acceptedConditions: readonly ConditionFacts[] = [
  { type: 'Drifted', status: 'False', reason: 'Accepted', message: 'the observed changes were accepted' },
]

const destroyed = 'the resource was destroyed'

/** Reports whether the real resource of an object was destroyed and its spec was not written since. */
export function wasDestroyed({ metadata, status }: KubernetesObject): boolean {
  const { conditions = [], observedGeneration } = (status ?? {}) as ResourceStatus
  if (observedGeneration !== metadata?.generation) return false
  return conditions.some(({ type, message }) => type === 'Applied' && message === destroyed)
}

/** The conditions of an object whose resource was destroyed. */
export const destroyedConditions: readonly ConditionFacts[] = [
  { type: 'Ready', status: 'False', reason: 'NotApplied', message: destroyed },
  { type: 'Applied', status: 'False', reason: 'NotApplied', message: destroyed },
  { type: 'Drifted', status: 'Unknown', reason: 'NotApplied', message: '' },
  { type: 'Stalled', status: 'False', reason: 'NotApplied', message: '' },
]

const incomplete = {
  reason: 'ReplacementIncomplete',
  message: 'the old resource was removed, and the new one was not created yet',
}

/** The status of an object whose replacement has removed the old resource and not yet created the new one. */
const unreplaced: StatusChange = {
  attributes: undefined,
  conditions: [
    { type: 'Ready', status: 'False', ...incomplete },
    { type: 'Applied', status: 'False', ...incomplete },
    { type: 'Drifted', status: 'Unknown', reason: incomplete.reason, message: '' },
  ],
}

function failedConditions(message: string): readonly ConditionFacts[] {
  const failed = { reason: 'ApplyFailed', message: message.slice(0, mostOfMessage) }
  return [
    { type: 'Ready', status: 'False', ...failed },
    { type: 'Applied', status: 'False', ...failed },
  ]
}
