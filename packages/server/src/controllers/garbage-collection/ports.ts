import {
  foregroundFinalizer,
  type KubernetesObject,
  type OwnerReference,
  orphanFinalizer,
} from '@hykube/machinery/object'

/** An object that has owners, by its place. The namespace is empty for cluster-scoped ones. */
export interface Dependent {
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

/**
 * Who belongs to whom, kept with the objects themselves: an answer holds everything committed before the question. An
 * object that waits for its dependents or is to leave them behind is a dependent of itself, so that it is found after a
 * crash however few of them are left.
 */
export interface OwnerIndex {
  dependentsOf(cluster: string, ownerUid: string): Promise<readonly Dependent[]>
  /** Every owner that has dependents, in any order, for the look at everything after a start. */
  owners(): AsyncIterable<{ readonly cluster: string; readonly uid: string }>
}

/** What garbage collection must know of a change of an object. */
export interface OwnershipChange extends Dependent {
  readonly cluster: string
  readonly uid: string
  /** The object is no longer there. */
  readonly gone: boolean
  readonly deleting: boolean
  readonly finalizers: readonly string[]
  readonly owners: readonly OwnerReference[]
}

/**
 * The changes of all objects in the order in which they were committed, beginning before the controller looks at the
 * owner index. The same change may come twice.
 */
export type OwnershipFeed = (signal: AbortSignal) => AsyncIterable<OwnershipChange>

/** What of a change concerns garbage collection; undefined for nothing, as most changes are. */
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
