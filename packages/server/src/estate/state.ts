import type { InstanceKey, NodePlace, StateRecord } from '../plan/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range, type Revision } from '../storage/index.ts'
import { instanceFromSegment, instanceToSegment } from './instance-segment.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { stateSpace } from './spaces.ts'

/** Where a record lies. */
export interface StatePlace {
  readonly node: NodePlace
  readonly instance: InstanceKey
  readonly slot: Slot
}

/** `observed` is what the last refresh saw, and never overwrites `current`. */
export type Slot = 'current' | 'observed' | `deposed/${string}`

/** A record and when it was written. */
export interface StoredState extends StatePlace {
  readonly record: StateRecord
  readonly revision: Revision
}

export function stateKey({ node, instance, slot }: StatePlace): Key {
  const { group, resource, cluster, namespace, name } = node
  return encodeKey(stateSpace.name, [group, resource, cluster, namespace, name, instanceToSegment(instance), slot])
}

/** A key after every record of an instance, and before those of the next. */
export function lastStateKey({ group, resource, cluster, namespace, name }: NodePlace, instance: InstanceKey): Key {
  return encodeKey(stateSpace.name, [group, resource, cluster, namespace, name, instanceToSegment(instance), '~'])
}

/** Every record of an object. */
export function stateRange({ group, resource, cluster, namespace, name }: NodePlace): Range {
  return { space: stateSpace.name, prefix: [group, resource, cluster, namespace, name] }
}

/** Every record in a namespace of a cluster, or in all of it. */
export function stateRangeOfNamespace(cluster: string, namespace?: string): Range {
  const place = namespace === undefined ? [cluster] : [cluster, namespace]
  return { space: stateSpace.name, prefix: [undefined, undefined, ...place] }
}

/** Every record of a group of kinds in a cluster; those of other clusters are stepped over. */
export function stateRangeOfGroup(group: string, cluster: string): Range {
  return { space: stateSpace.name, prefix: [group, undefined, cluster] }
}

/** Every record of a kind in a cluster. */
export function stateRangeOfKind(group: string, resource: string, cluster: string): Range {
  return { space: stateSpace.name, prefix: [group, resource, cluster] }
}

export function statePlaceFromKey(key: Uint8Array): StatePlace {
  const [group = '', resource = '', cluster = '', namespace = '', name = '', instance = '', slot = ''] =
    decodeKey(key).segments
  const node = { cluster, group, resource, namespace, name }
  return { node, instance: instanceFromSegment(instance), slot: slot as Slot }
}

export function stateFromEntry(entry: { key: Uint8Array; value: Uint8Array; revision: Revision }): StoredState {
  return {
    ...statePlaceFromKey(entry.key),
    record: recordFromBytes<StateRecord>(entry.value),
    revision: entry.revision,
  }
}

/** Keeps a record, or takes it away. */
export function putState(place: StatePlace, record: StateRecord | undefined): Operation {
  const key = stateKey(place)
  return record === undefined ? { kind: 'delete', key } : { kind: 'put', key, value: recordToBytes(record) }
}
