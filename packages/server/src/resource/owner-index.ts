import { foregroundFinalizer, type KubernetesObject, orphanFinalizer } from '@hykube/machinery/object'
import { decodeKey, encodeKey, type Operation, type Range } from '../storage/index.ts'
import type { ObjectPlace, ResourcePlace } from './object-key.ts'
import { ownerSpace } from './spaces.ts'

/**
 * What must change in the index of owners when an object changes. It is written in the same commit as the object, so
 * that whoever looks for the dependents of an owner reads the index and never the estate.
 */
export function ownerIndexOperations(
  resource: ResourcePlace,
  place: ObjectPlace,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): Operation[] {
  const old = ownersOf(before)
  const now = ownersOf(after)
  if (old.size === 0 && now.size === 0) return none
  const operations: Operation[] = []
  for (const uid of old) if (!now.has(uid)) operations.push({ kind: 'delete', key: ownerKey(resource, place, uid) })
  for (const uid of now)
    if (!old.has(uid)) operations.push({ kind: 'put', key: ownerKey(resource, place, uid), value: nothing })
  return operations
}

/** Where the dependents of an owner are indexed. */
export function dependentsRange(cluster: string, ownerUid: string): Range {
  return { space: ownerSpace.name, prefix: [cluster, ownerUid] }
}

/** The dependent that an entry of the index stands for. */
export function dependentFromKey(key: Uint8Array): ResourcePlace & ObjectPlace {
  const [cluster = '', , group = '', resource = '', namespace = '', name = ''] = decodeKey(key).segments
  return { cluster, group, resource, namespace, name }
}

/** The whole index, by cluster and owner. */
export const ownersRange: Range = { space: ownerSpace.name }

/** The owner that an entry of the index stands for. */
export function ownerFromKey(key: Uint8Array): { readonly cluster: string; readonly uid: string } {
  const [cluster = '', uid = ''] = decodeKey(key).segments
  return { cluster, uid }
}

const none: Operation[] = []
const nothing = new Uint8Array(0)

// An object that waits for its dependents, or leaves them behind, is indexed under itself: so whoever starts after a
// crash finds it, also when its last dependent is gone.
function ownersOf(object: KubernetesObject | undefined): ReadonlySet<string> {
  const { ownerReferences, deletionTimestamp, finalizers, uid } = object?.metadata ?? {}
  const uids = ownerReferences?.map((reference) => reference.uid) ?? []
  if (deletionTimestamp != null && finalizers?.some(isPropagation)) uids.push(uid ?? '')
  return uids.length === 0 ? noOwners : new Set(uids)
}

function isPropagation(finalizer: string): boolean {
  return finalizer === foregroundFinalizer || finalizer === orphanFinalizer
}

const noOwners: ReadonlySet<string> = new Set()

function ownerKey({ group, resource }: ResourcePlace, { cluster, namespace, name }: ObjectPlace, uid: string) {
  return encodeKey(ownerSpace.name, [cluster, uid, group, resource, namespace, name])
}
