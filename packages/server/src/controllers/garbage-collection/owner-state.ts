import { foregroundFinalizer, type ObjectMeta, type OwnerReference } from '@hykube/machinery/object'
import type { Client, ObjectAt } from '@hykube/runtime/client'
import type { DiscoveredResources } from '../discovered-resources.ts'

/** How it stands with an owner. */
export type OwnerState =
  /** It is there, or nothing can be said of it: its kind is not served, or can't be an owner here. */
  | { readonly kind: 'there'; readonly at?: ObjectAt; readonly metadata?: ObjectMeta }
  | { readonly kind: 'gone' }
  /** It goes as soon as its dependents have gone. */
  | { readonly kind: 'waiting'; readonly at: ObjectAt; readonly metadata: ObjectMeta }

/**
 * Looks for the owner that a reference of a dependent names. An owner is a uid: another object of the same name is not
 * it. A namespaced owner is looked for in the dependent's namespace, which makes one of another namespace absent.
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

/** Whether an object goes as soon as its dependents have gone. */
export function isWaiting({ deletionTimestamp, finalizers }: ObjectMeta): boolean {
  return deletionTimestamp != null && (finalizers?.includes(foregroundFinalizer) ?? false)
}
