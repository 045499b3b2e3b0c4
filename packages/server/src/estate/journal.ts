import { type InstanceKey, type NodePlace, nodeFromText, nodeToText, type StateFacts } from '../plan/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range, type Revision } from '../storage/index.ts'
import { instanceFromSegment, instanceToSegment } from './instance-segment.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { journalSpace, requestSpace } from './spaces.ts'

/**
 * What is about to be asked of a provider. It is durable before the call, and goes in the commit that keeps the outcome: one
 * that is found after a crash is a call whose outcome nobody knows. There is at most one for an instance, so that two plans
 * never change the same thing at once.
 */
export interface Intent {
  /** The plan it belongs to: uid, and its name for people. */
  readonly plan: string
  readonly planName: string
  /** `namespace` of the plan. */
  readonly planNamespace: string
  readonly step: IntentStep
  /** Which part of the instance, as in the change's place. */
  readonly part: string
  readonly address: string
  readonly type: string
  /** The uid of the object. */
  readonly uid: string
  /** Which provider process was asked, to be stopped before anything is decided. */
  readonly process?: { readonly pid: number; readonly startTime: string; readonly host: string }
  /** When the call is over for sure, in milliseconds since 1970. */
  readonly deadline: number
  /** Whether the provider says that the same call may be repeated. */
  readonly repeatable: boolean
  /** All of the record that is known before the outcome is. */
  readonly facts: StateFacts
  /** The key under which the old object was left behind. */
  readonly depose?: string
  /** Why nobody knows what came of it. Absent while the call is under way, or was not looked into yet. */
  readonly unknown?: string
  /** It is looked into once more at its deadline: until then a process on another machine may be at it. */
  readonly waits?: true
}

export type IntentStep = 'create' | 'update' | 'delete' | 'delete-deposed'

/**
 * What the provider was sent, in msgpack and base64; without the configuration, which follows from the object. It is kept beside the
 * intent unless the change of the plan says the same.
 */
export interface IntentRequest {
  readonly prior: string
  readonly planned: string
  readonly plannedPrivate: string
  /** Where the provider planned one. */
  readonly plannedIdentity?: string
}

export interface IntentPlace {
  readonly node: NodePlace
  readonly instance: InstanceKey
}

export interface StoredIntent extends IntentPlace {
  readonly intent: Intent
  readonly key: Key
  readonly revision: Revision
}

export function journalKey({ node, instance }: IntentPlace): Key {
  return encodeKey(journalSpace.name, [node.cluster, node.namespace, nodeToText(node), instanceToSegment(instance)])
}

/** What was sent with an intent. */
export function requestKey({ node, instance }: IntentPlace): Key {
  return encodeKey(requestSpace.name, [node.cluster, node.namespace, nodeToText(node), instanceToSegment(instance)])
}

/** Writes down a call that nobody else has under way. */
export function openIntent(place: IntentPlace, intent: Intent, request: IntentRequest | undefined): Operation[] {
  const put: Operation = { kind: 'put', key: journalKey(place), value: recordToBytes(intent), expect: 'absent' }
  return request === undefined ? [put] : [put, { kind: 'put', key: requestKey(place), value: recordToBytes(request) }]
}

/** Takes away a call that is decided. `unmoved`: only if it is still this one. */
export function closeIntent(place: IntentPlace, unmoved?: Revision): Operation[] {
  const key = journalKey(place)
  return [
    unmoved === undefined ? { kind: 'delete', key } : { kind: 'delete', key, expect: unmoved },
    { kind: 'delete', key: requestKey(place) },
  ]
}

/** Every open intent of a cluster. */
export function journalRange(cluster?: string): Range {
  return { space: journalSpace.name, prefix: cluster === undefined ? [] : [cluster] }
}

/** Every open intent of an object. */
export function journalRangeOf(node: NodePlace): Range {
  return { space: journalSpace.name, prefix: [node.cluster, node.namespace, nodeToText(node)] }
}

export function intentFromEntry(entry: { key: Key; value: Uint8Array; revision: Revision }): StoredIntent {
  const [cluster = '', , node = '', instance = ''] = decodeKey(entry.key).segments
  return {
    node: nodeFromText(cluster, node),
    instance: instanceFromSegment(instance),
    intent: recordFromBytes<Intent>(entry.value),
    key: entry.key,
    revision: entry.revision,
  }
}
