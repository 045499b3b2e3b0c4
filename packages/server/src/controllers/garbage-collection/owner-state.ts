import { foregroundFinalizer, type ObjectMeta, type OwnerReference } from '@hykube/machinery/object'
import type { Client, ObjectAt } from '@hykube/runtime/client'
import type { DiscoveredResources } from '../discovered-resources.ts'

/** State of an owner. */
export type OwnerState =
  /** It exists, or it can't be judged: its kind is not served, or it can't be an owner here. */
  | { readonly kind: 'there'; readonly at?: ObjectAt; readonly metadata?: ObjectMeta }
  | { readonly kind: 'gone' }
  /** It is deleted in the foreground and waits for its dependents. */
  | { readonly kind: 'waiting'; readonly at: ObjectAt; readonly metadata: ObjectMeta }

/**
 * Looks up the owner of a reference. Owners are identified by uid, so another object of the same name does not count. A
 * namespaced owner is looked up in the dependent's namespace; an owner in another namespace counts as absent, as in
 * Kubernetes.
 */
export async function ownerState(
  client: Client,
  resources: DiscoveredResources,
  cluster: string,
  { apiVersion, kind, name, uid }: OwnerReference,
  dependentNamespace: string,
  signal: AbortSignal,
): Promise<OwnerState> {
  const type = await resources.byKind(cluster, apiVersion, kind)
  if (type === undefined || (type.namespaced && dependentNamespace === '')) return { kind: 'there' }
  const { group, version, resource } = type
  const at = { group, version, resource, name, ...(type.namespaced ? { namespace: dependentNamespace } : {}) }
  const owner = await client.find(at, { form: 'metadata', signal })
  if (owner === undefined || owner.metadata.uid !== uid) return { kind: 'gone' }
  return { kind: isWaiting(owner.metadata) ? 'waiting' : 'there', at, metadata: owner.metadata }
}

/** Returns true when an object is deleted in the foreground and waits for its dependents. */
export function isWaiting({ deletionTimestamp, finalizers }: ObjectMeta): boolean {
  return deletionTimestamp != null && (finalizers?.includes(foregroundFinalizer) ?? false)
}
