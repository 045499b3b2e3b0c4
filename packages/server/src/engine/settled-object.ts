import { type KubernetesObject, withoutFinalizer } from '@hykube/machinery/object'
import type { IntentDraft, OutcomeDraft } from '../apply/index.ts'
import { importAnnotation, importIdentityAnnotation } from '../estate/index.ts'
import type { ChangedInstance, WorkOrder } from '../plan/index.ts'
import { managedFinalizer } from '../provider/index.ts'
import type { ObjectChange } from '../resource/index.ts'
import { maximumValueBytes } from '../storage/index.ts'
import type { NodeSource } from './node-source.ts'
import { type ConditionFacts, type StatusChange, withStatus } from './object-status.ts'

/** How an object changes with the outcome of a change: its status, and whether it may go now. */
export function settledObject(
  { node, instance }: ChangedInstance,
  { stored, object }: NodeSource,
  draft: IntentDraft,
  outcome: OutcomeDraft,
  isLast: boolean,
  now: number,
): ObjectChange[] {
  const work = draft.change.record.work!
  if (object.metadata?.uid !== work.uid) return []
  const change = { resource: node, place: node, before: stored, beforeObject: object, tag: stored.tag }
  const next = isLast ? withoutManaged(draft.step === 'delete' ? withoutImport(object) : object) : object
  if (next.metadata?.deletionTimestamp != null && (next.metadata.finalizers?.length ?? 0) === 0)
    return [{ ...change, after: undefined, final: next }]
  // The status of many instances is written once for all of them.
  if (instance !== undefined) return next === object ? [] : [{ ...change, after: next }]
  if (isHalf(draft, outcome)) return []
  const set = statusOf(draft, outcome, work, next)
  // An edit that was made meanwhile is pending, and stays so.
  const isEdited = object.metadata?.generation !== work.generation
  const conditions = isEdited ? set.conditions.filter(({ type }) => type !== 'Applied') : set.conditions
  return [{ ...change, after: withStatus(next, { ...set, conditions }, now) }]
}

// That the old object of a replacement is gone is nothing to tell: the new one is what counts.
function isHalf({ step, change: { record } }: IntentDraft, { outcome }: OutcomeDraft): boolean {
  return record.action === 'replace' && step === 'delete' && outcome.result === 'applied'
}

// The id that an object was imported from is gone with what it named: the next plan makes it anew.
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

/** An object of which nothing is outside any more, so that it may go. */
export function withoutManaged(object: KubernetesObject): KubernetesObject {
  const { finalizers, ...metadata } = object.metadata ?? {}
  const kept = withoutFinalizer(finalizers, managedFinalizer) ?? []
  return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) } }
}

function statusOf(
  { step, change: { place, record: change } }: IntentDraft,
  { outcome, record, attributes: all }: OutcomeDraft,
  work: WorkOrder,
  object: KubernetesObject,
): StatusChange {
  const applied = outcome.result === 'applied'
  const attributes = all === undefined ? undefined : shownAttributes(all(), record, object)
  if (step === 'delete' && place.part === '' && applied && record === undefined)
    return { attributes: undefined, conditions: destroyedConditions }
  if (applied && place.part !== '') return { conditions: [] }
  if (applied && work.accepts) return { attributes, conditions: acceptedConditions }
  if (applied)
    return { attributes, instances: undefined, observedGeneration: work.generation, conditions: appliedConditions }
  // What could not be destroyed is not what the object is now, if a new one was made before.
  const isOld = place.part !== '' || (step === 'delete' && change.order === 'create-first')
  const conditions = failedConditions(outcome.message ?? '')
  return { ...(attributes !== undefined && !isOld && { attributes }), conditions }
}

/** The attributes that fit into the status of an object. */
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

const mostOfOne = 1 << 16
// As Kubernetes bounds the message of a condition.
const mostOfMessage = 32_768
// Conditions and names of attributes.
const roomForConditions = 1 << 18

const appliedConditions: readonly ConditionFacts[] = [
  { type: 'Ready', status: 'True', reason: 'Applied', message: 'it is what was last applied' },
  { type: 'Applied', status: 'True', reason: 'Applied', message: 'this generation was applied' },
  { type: 'Drifted', status: 'False', reason: 'Applied', message: '' },
  { type: 'Stalled', status: 'False', reason: 'Applied', message: '' },
]

const acceptedConditions: readonly ConditionFacts[] = [
  { type: 'Drifted', status: 'False', reason: 'Accepted', message: 'what has changed outside was accepted' },
]

/** How an object stands of which there is nothing outside any more. */
export const destroyedConditions: readonly ConditionFacts[] = [
  { type: 'Ready', status: 'False', reason: 'NotApplied', message: 'it was destroyed' },
  { type: 'Applied', status: 'False', reason: 'NotApplied', message: 'it was destroyed' },
  { type: 'Drifted', status: 'Unknown', reason: 'NotApplied', message: '' },
  { type: 'Stalled', status: 'False', reason: 'NotApplied', message: '' },
]

function failedConditions(message: string): readonly ConditionFacts[] {
  const failed = { reason: 'ApplyFailed', message: message.slice(0, mostOfMessage) }
  return [
    { type: 'Ready', status: 'False', ...failed },
    { type: 'Applied', status: 'False', ...failed },
  ]
}
