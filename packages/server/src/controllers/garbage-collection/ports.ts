import {
  foregroundFinalizer,
  type KubernetesObject,
  type OwnerReference,
  orphanFinalizer,
} from '@hykube/machinery/object'

/** Location of an object with owners. The namespace is empty for cluster-scoped objects. */
export interface Dependent {
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

/**
 * Owner index, updated in the same commits as objects: a result includes everything committed before the call. An
 * object in foreground or orphan deletion is listed as a dependent of itself, so it is found after a crash even without
 * other dependents.
 */
export interface OwnerIndex {
  dependentsOf(cluster: string, ownerUid: string): Promise<readonly Dependent[]>
  /** Every owner with dependents, in any order. Used once after a start. */
  owners(): AsyncIterable<{ readonly cluster: string; readonly uid: string }>
}

/** The parts of an object's change that garbage collection needs. */
export interface OwnershipChange extends Dependent {
  readonly cluster: string
  readonly uid: string
  /** True when the object was removed. */
  readonly gone: boolean
  readonly deleting: boolean
  readonly finalizers: readonly string[]
  readonly owners: readonly OwnerReference[]
}

/**
 * Changes of all objects in commit order, starting before the controller reads the owner index. Changes may be
 * repeated.
 */
export type OwnershipFeed = (signal: AbortSignal) => AsyncIterable<OwnershipChange>

/** Extracts the ownership part of a change; undefined for most changes, which do not concern garbage collection. */
export function ownershipChangeFrom(
  place: Dependent & { readonly cluster: string },
  { metadata = {} }: KubernetesObject,
  gone: boolean,
): OwnershipChange | undefined {
  const { uid = '', finalizers, ownerReferences, deletionTimestamp } = metadata
  const deleting = deletionTimestamp != null
  const held = deleting && finalizers?.some((each) => each === foregroundFinalizer || each === orphanFinalizer)
  const owned = ownerReferences != null && ownerReferences.length > 0
  if (!gone && !held && !owned) return undefined
  const { cluster, group, resource, namespace, name } = place
  return {
    ...{ cluster, group, resource, namespace, name, uid, gone, deleting },
    finalizers: finalizers ?? [],
    owners: ownerReferences ?? [],
  }
}
