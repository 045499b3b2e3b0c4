import type { InstanceKey, ResourceRef, StateRecord } from '../../model/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range, type Revision } from '../../storage/index.ts'
import { instanceFromSegment, instanceToSegment } from './instance-segment.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { stateSpace } from './spaces.ts'

/** The key of a state record. */
export interface StateRef {
  readonly ref: ResourceRef
  readonly instance: InstanceKey
  readonly slot: Slot
}

/** `current` is the applied state; `observed` the result of the last refresh while it differs, which never overwrites `current`. */
export type Slot = 'current' | 'observed' | `deposed/${string}`

/** A record and its revision. */
export interface StoredState extends StateRef {
  readonly record: StateRecord
  readonly revision: Revision
}

export function stateKey({ ref, instance, slot }: StateRef): Key {
  const { group, resource, cluster, namespace, name } = ref
  return encodeKey(stateSpace.name, [group, resource, cluster, namespace, name, instanceToSegment(instance), slot])
}

/** A key after all records of an instance and before those of the next: `~` sorts after every slot. */
export function lastStateKey({ group, resource, cluster, namespace, name }: ResourceRef, instance: InstanceKey): Key {
  return encodeKey(stateSpace.name, [group, resource, cluster, namespace, name, instanceToSegment(instance), '~'])
}

/** The key range of an object's records. */
export function stateRange({ group, resource, cluster, namespace, name }: ResourceRef): Range {
  return { space: stateSpace.name, prefix: [group, resource, cluster, namespace, name] }
}

/** The key range of the records in a namespace or in a whole cluster. */
export function stateRangeOfNamespace(cluster: string, namespace?: string): Range {
  const scope = namespace === undefined ? [cluster] : [cluster, namespace]
  return { space: stateSpace.name, prefix: [undefined, undefined, ...scope] }
}

/** The key range of the records of an API group in a cluster; a scan skips those of other clusters. */
export function stateRangeOfGroup(group: string, cluster: string): Range {
  return { space: stateSpace.name, prefix: [group, undefined, cluster] }
}

/** The key range of the records of a kind in a cluster. */
export function stateRangeOfKind(group: string, resource: string, cluster: string): Range {
  return { space: stateSpace.name, prefix: [group, resource, cluster] }
}

export function stateRefFromKey(key: Uint8Array): StateRef {
  const [group = '', resource = '', cluster = '', namespace = '', name = '', instance = '', slot = ''] =
    decodeKey(key).segments
  const ref = { cluster, group, resource, namespace, name }
  return { ref, instance: instanceFromSegment(instance), slot: slot as Slot }
}

export function stateFromEntry(entry: { key: Uint8Array; value: Uint8Array; revision: Revision }): StoredState {
  return {
    ...stateRefFromKey(entry.key),
    record: recordFromBytes<StateRecord>(entry.value),
    revision: entry.revision,
  }
}

/** Returns the operation that stores or deletes a record. */
export function putState(state: StateRef, record: StateRecord | undefined): Operation {
  const key = stateKey(state)
  return record === undefined ? { kind: 'delete', key } : { kind: 'put', key, value: recordToBytes(record) }
}
