import { type InstanceKey, type ResourceRef, refFromText, refToText, type StateFacts } from '../../model/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range, type Revision } from '../../storage/index.ts'
import { instanceFromSegment, instanceToSegment } from './instance-segment.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { journalSpace, requestSpace } from './spaces.ts'

/**
 * A provider call that is about to be made. It is durable before the call and deleted in the commit that stores the outcome, so an intent
 * found after a crash is a call with an unknown outcome. An instance has at most one, so that two plans never change it at the same time.
 */
export interface Intent {
  /** The uid and name of the plan. */
  readonly plan: string
  readonly planName: string
  /** The namespace of the plan. */
  readonly planNamespace: string
  readonly step: IntentStep
  /** The part of the instance, as in the change. */
  readonly part: string
  readonly address: string
  readonly type: string
  /** The uid of the object. */
  readonly uid: string
  /** The provider process of the call. It must have ended before the outcome is decided. */
  readonly process?: { readonly pid: number; readonly startTime: string; readonly host: string }
  /** The time after which the call can't be running any more, in milliseconds since 1970. */
  readonly deadline: number
  /** True when the provider declares that the call may be repeated. */
  readonly repeatable: boolean
  /** The fields of the state record that don't depend on the outcome. */
  readonly facts: StateFacts
  /** The key under which the old resource was deposed. */
  readonly depose?: string
  /** Why the outcome is unknown. Absent while the call is in flight or recovery hasn't run yet. */
  readonly unknown?: string
  /** Recovery runs again at the deadline: until then a process on another machine may still be working on the call. */
  readonly waits?: true
}

export type IntentStep = 'create' | 'update' | 'delete' | 'delete-deposed'

/**
 * The request of a call, in msgpack and base64, without the configuration, which can be evaluated again. It is stored beside the intent
 * unless it equals the planned change.
 */
export interface IntentRequest {
  readonly prior: string
  readonly planned: string
  readonly plannedPrivate: string
  /** Set if the provider planned an identity. */
  readonly plannedIdentity?: string
}

export interface IntentRef {
  readonly ref: ResourceRef
  readonly instance: InstanceKey
}

export interface StoredIntent extends IntentRef {
  readonly intent: Intent
  readonly key: Key
  readonly revision: Revision
}

export function journalKey({ ref, instance }: IntentRef): Key {
  return encodeKey(journalSpace.name, [ref.cluster, ref.namespace, refToText(ref), instanceToSegment(instance)])
}

/** The key of an intent's request. */
export function requestKey({ ref, instance }: IntentRef): Key {
  return encodeKey(requestSpace.name, [ref.cluster, ref.namespace, refToText(ref), instanceToSegment(instance)])
}

/** Returns the operations that store an intent. The commit fails when the instance already has one. */
export function openIntent(call: IntentRef, intent: Intent, request: IntentRequest | undefined): Operation[] {
  const put: Operation = { kind: 'put', key: journalKey(call), value: recordToBytes(intent), expect: 'absent' }
  return request === undefined ? [put] : [put, { kind: 'put', key: requestKey(call), value: recordToBytes(request) }]
}

/** Returns the operations that delete an intent; with `unmoved` the commit fails when its revision differs. */
export function closeIntent(call: IntentRef, unmoved?: Revision): Operation[] {
  const key = journalKey(call)
  return [
    unmoved === undefined ? { kind: 'delete', key } : { kind: 'delete', key, expect: unmoved },
    { kind: 'delete', key: requestKey(call) },
  ]
}

/** The key range of a cluster's intents. */
export function journalRange(cluster?: string): Range {
  return { space: journalSpace.name, prefix: cluster === undefined ? [] : [cluster] }
}

/** The key range of an object's intents. */
export function journalRangeOf(ref: ResourceRef): Range {
  return { space: journalSpace.name, prefix: [ref.cluster, ref.namespace, refToText(ref)] }
}

export function intentFromEntry(entry: { key: Key; value: Uint8Array; revision: Revision }): StoredIntent {
  const [cluster = '', , refText = '', instance = ''] = decodeKey(entry.key).segments
  return {
    ref: refFromText(cluster, refText),
    instance: instanceFromSegment(instance),
    intent: recordFromBytes<Intent>(entry.value),
    key: entry.key,
    revision: entry.revision,
  }
}
