import { type Clock, isAbortError, messageOf } from '@hykube/machinery/base'
import type { Condition, GroupResource, KubernetesObject } from '@hykube/machinery/object'
import { groupResourceToText } from '@hykube/machinery/object'
import type { ApiResource, Client, Discovered, Stored } from '@hykube/runtime/client'
import type { ReconcileResult } from '@hykube/runtime/controller'
import { coreResource } from '../context.ts'
import { type Attempt, isEmptied, terminationConditions } from './conditions.ts'
import { type ContentIndex, deletableResources, deleteContent } from './content.ts'

/** Dependencies of the namespace reconciler. */
export interface NamespaceReconcilerOptions {
  readonly client: Client
  readonly cluster: string
  readonly clock: Clock
  /** Default: every namespaced resource is listed. */
  readonly content?: ContentIndex | undefined
}

/**
 * Advances a terminating namespace: deletes its content, reports what remains in conditions, and removes the finalizer
 * when it is empty.
 */
export async function reconcileNamespace(
  reconciling: NamespaceReconcilerOptions,
  name: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { client } = reconciling
  const found = await client.find<Namespace>({ ...coreResource('namespaces'), name }, { signal })
  if (found?.metadata.deletionTimestamp == null || !found.spec?.finalizers?.includes(finalizer)) return undefined
  const attempt = await attemptToEmpty(reconciling, name, signal)
  const updated = await updateConditions(reconciling, found, attempt, signal)
  if (!isEmptied(attempt)) return { kind: 'again' }
  await removeFinalizer(client, updated, signal)
  return undefined
}

interface Namespace extends KubernetesObject {
  readonly spec?: { readonly finalizers?: readonly string[] }
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] }
}

// Value in spec.finalizers (not metadata.finalizers) that kube-apiserver sets on every namespace.
const finalizer = 'kubernetes'

async function attemptToEmpty(
  { client, cluster, content }: NamespaceReconcilerOptions,
  name: string,
  signal: AbortSignal,
): Promise<Attempt> {
  const { resources, failures } = await discovered(client, signal)
  const readable = resources.filter(({ version }) => version !== '')
  const present = await content?.resourcesIn(cluster, name)
  const left = await deleteContent(client, name, narrowed(deletableResources(readable), present), signal)
  const unreadable = resources.filter(({ version }) => version === '').map(({ group }) => group)
  return { left, undiscovered: failures, unreadable: [...new Set(unreadable)] }
}

// Without discovery the namespace's content is unknown, so it must not be removed.
async function discovered(client: Client, signal: AbortSignal): Promise<Discovered> {
  try {
    return await client.discover(signal)
  } catch (error) {
    if (isAbortError(error)) throw error
    const message = messageOf(error)
    return { resources: [], failures: [{ groupVersion: 'all groups', message }] }
  }
}

// Restricts the resources to those that the content index names, if there is one.
function narrowed(
  resources: readonly ApiResource[],
  present: readonly GroupResource[] | undefined,
): readonly ApiResource[] {
  if (present === undefined) return resources
  const names = new Set(present.map(groupResourceToText))
  return resources.filter((resource) => names.has(groupResourceToText(resource)))
}

// A namespace that is emptied at the first attempt gets no conditions, because it is removed at once.
async function updateConditions(
  { client, clock }: NamespaceReconcilerOptions,
  namespace: Stored<Namespace>,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Stored<Namespace>> {
  const { phase, conditions } = namespace.status ?? {}
  if (isEmptied(attempt) && conditions === undefined) return namespace
  const { name = '', uid } = namespace.metadata
  const next = terminationConditions(name, conditions, attempt, clock.now())
  if (next === conditions && phase === 'Terminating') return namespace
  const patch = { metadata: { uid }, status: { phase: 'Terminating', conditions: next } }
  return client.patch<Namespace>(
    { ...coreResource('namespaces'), name, subresource: 'status' },
    { kind: 'merge', patch },
    { signal },
  )
}

// spec.finalizers can be changed only through the finalize subresource.
async function removeFinalizer(client: Client, namespace: Stored<Namespace>, signal: AbortSignal): Promise<void> {
  const finalizers = namespace.spec?.finalizers?.filter((each) => each !== finalizer) ?? []
  const { name = '' } = namespace.metadata
  const body = { ...namespace, spec: { ...namespace.spec, finalizers } }
  await client.update({ ...coreResource('namespaces'), name, subresource: 'finalize' }, body, { signal })
}
