import { foregroundFinalizer, type KubernetesObject, orphanFinalizer } from '@hykube/machinery/object'
import { decodeKey, encodeKey, type Operation, type Range } from '../storage/index.ts'
import type { ObjectLocation, ResourceLocation } from './object-key.ts'
import { ownerSpace } from './spaces.ts'

/**
 * Operations that update the owner index when an object changes. They are part of the object's commit, so the garbage
 * collector finds the dependents of an owner with a range read instead of a scan of all objects.
 */
export function ownerIndexOperations(
  resource: ResourceLocation,
  place: ObjectLocation,
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

/** Range of the index entries of an owner's dependents. */
export function dependentsRange(cluster: string, ownerUid: string): Range {
  return { space: ownerSpace.name, prefix: [cluster, ownerUid] }
}

/** Returns the dependent of an index entry. */
export function dependentFromKey(key: Uint8Array): ResourceLocation & ObjectLocation {
  const [cluster = '', , group = '', resource = '', namespace = '', name = ''] = decodeKey(key).segments
  return { cluster, group, resource, namespace, name }
}

/** The whole index, ordered by cluster and owner. */
export const ownersRange: Range = { space: ownerSpace.name }

/** Returns the owner of an index entry. */
export function ownerFromKey(key: Uint8Array): { readonly cluster: string; readonly uid: string } {
  const [cluster = '', uid = ''] = decodeKey(key).segments
  return { cluster, uid }
}

const none: Operation[] = []
const nothing = new Uint8Array(0)

// A deleted object that waits for its dependents (foreground) or releases them (orphan) is also indexed under its own
// uid: a server that starts after a crash then finds it even when its last dependent is gone.
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

function ownerKey({ group, resource }: ResourceLocation, { cluster, namespace, name }: ObjectLocation, uid: string) {
  return encodeKey(ownerSpace.name, [cluster, uid, group, resource, namespace, name])
}
