import type { Clock } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type LabelSelectorObject, labelSelectorFromObject, labelSelectorToText } from '@hykube/machinery/selector'
import { type Client, failedWith, type ObjectAt, type Stored } from '@hykube/runtime/client'
import { statusPatch } from './paper-status.ts'
import { planPods, podOwners } from './pods.ts'
import { type ControllerRevision, planRevisions } from './revisions.ts'
import { planRollout, revisionAnnotation } from './rollout.ts'
import type { PaperStatuses, StatusFields, Workload } from './workload.ts'

export const deployments = { group: 'apps', version: 'v1', resource: 'deployments' } as const
const pods = { group: '', version: 'v1', resource: 'pods' } as const
const revisions = { group: 'apps', version: 'v1', resource: 'controllerrevisions' } as const
const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets' } as const

/** Applies the simulated status, pods and rollout state to a workload. */
export async function reconcileWorkload(
  client: Client,
  clock: Clock,
  statuses: PaperStatuses,
  at: ObjectAt,
  signal: AbortSignal,
): Promise<void> {
  const object = await client.find<Workload>(at, { signal })
  if (object === undefined || object.metadata.deletionTimestamp != null) return
  if (at.resource === 'deployments') await reconcileDeployment(client, clock, statuses, object, signal)
  else {
    const kind = keepingHistory.get(at.resource)
    if (kind !== undefined) await reconcileRevisions(client, kind, object, signal)
    if (statuses.pods && podOwners.has(at.resource)) await reconcilePods(client, at.resource, object, signal)
    await writeStatus(client, at, object, statusOf(statuses, at, object, clock.now()), signal)
  }
}

const keepingHistory = new Map([
  ['statefulsets', 'StatefulSet'],
  ['daemonsets', 'DaemonSet'],
])

/** Returns true when an object received from a watch needs an update. */
export function needsWork(
  statuses: PaperStatuses,
  at: { readonly group: string; readonly resource: string },
  object: Workload,
  now: number,
): boolean {
  if (object.metadata?.deletionTimestamp != null) return false
  return at.resource === 'deployments' || statusPatch(object, statusOf(statuses, at, object, now)) !== undefined
}

function statusOf(
  { byResource }: PaperStatuses,
  { group, resource }: { readonly group: string; readonly resource: string },
  object: Workload,
  now: number,
) {
  return byResource.get(`${group}/${resource}`)?.(object, now)
}

async function reconcileDeployment(
  client: Client,
  clock: Clock,
  statuses: PaperStatuses,
  deployment: Stored<Workload>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '' } = deployment.metadata
  const labelSelector = labelSelectorToText(labelSelectorFromObject(deployment.spec?.selector as LabelSelectorObject))
  const { items } = await client.list<Workload>({ ...replicaSets, namespace }, { labelSelector, signal })
  const rollout = planRollout(deployment, items as Stored<Workload>[])
  if (rollout.create !== undefined) await client.create({ ...replicaSets, namespace }, rollout.create, { signal })
  for (const { name: replicaSet, patch } of rollout.patches)
    await client.patch({ ...replicaSets, namespace, name: replicaSet }, { kind: 'merge', patch }, { signal })
  for (const replicaSet of rollout.remove)
    await unlessGone(client.delete({ ...replicaSets, namespace, name: replicaSet }, { signal }))
  const at = { ...deployments, namespace, name }
  const annotated = await annotateRevision(client, at, deployment, rollout.revision, signal)
  await writeStatus(client, at, annotated, statuses.deployment(annotated, clock.now(), rollout), signal)
}

async function reconcileRevisions(
  client: Client,
  kind: string,
  workload: Stored<Workload>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = workload.metadata
  const labelSelector = labelSelectorToText(labelSelectorFromObject(workload.spec?.selector as LabelSelectorObject))
  const { items } = await client.list<ControllerRevision>({ ...revisions, namespace }, { labelSelector, signal })
  const { create, renumber, remove } = planRevisions(kind, workload, items as Stored<ControllerRevision>[])
  if (create !== undefined) await client.create({ ...revisions, namespace }, create, { signal })
  if (renumber !== undefined) {
    const { name, revision } = renumber
    await client.patch({ ...revisions, namespace, name }, { kind: 'merge', patch: { revision } }, { signal })
  }
  for (const name of remove) await unlessGone(client.delete({ ...revisions, namespace, name }, { signal }))
}

async function reconcilePods(
  client: Client,
  resource: string,
  workload: Stored<Workload>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = workload.metadata
  const labelSelector = labelSelectorToText(podSelector(resource, workload))
  const { items } = await client.list<KubernetesObject>({ ...pods, namespace }, { labelSelector, signal })
  const { create, remove } = planPods(resource, workload, items as Stored<KubernetesObject>[])
  for (const pod of create) await client.create({ ...pods, namespace }, pod, { signal })
  for (const name of remove) await unlessGone(client.delete({ ...pods, namespace, name }, { signal }))
}

// A ReplicationController's selector is a plain label map.
function podSelector(resource: string, { spec }: Workload) {
  const selector = spec?.selector as LabelSelectorObject
  return labelSelectorFromObject(
    resource === 'replicationcontrollers' ? { matchLabels: selector as Record<string, string> } : selector,
  )
}

async function annotateRevision(
  client: Client,
  at: ObjectAt,
  deployment: Stored<Workload>,
  revision: number | undefined,
  signal: AbortSignal,
): Promise<Stored<Workload>> {
  const { annotations, uid } = deployment.metadata
  if (revision === undefined || annotations?.[revisionAnnotation] === String(revision)) return deployment
  const patch = { metadata: { uid, annotations: { [revisionAnnotation]: String(revision) } } }
  return client.patch<Workload>(at, { kind: 'merge', patch }, { signal })
}

async function writeStatus(
  client: Client,
  at: ObjectAt,
  object: Stored<Workload>,
  fields: StatusFields | undefined,
  signal: AbortSignal,
): Promise<void> {
  const status = statusPatch(object, fields)
  if (status === undefined) return
  const { uid, resourceVersion } = object.metadata
  const patch = { metadata: { uid, resourceVersion }, status }
  await unlessGone(client.patch({ ...at, subresource: 'status' }, { kind: 'merge', patch }, { signal }))
}

async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!failedWith(error, 'NotFound')) throw error
  }
}
