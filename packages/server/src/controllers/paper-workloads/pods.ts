import { controllerOf, type KubernetesObject, type ObjectMeta } from '@hykube/machinery/object'
import type { Stored } from '@hykube/runtime/client'
import { replicasOf, type Workload } from './workload.ts'

/** Resources that own pods, with their kinds. */
export const podOwners: ReadonlyMap<string, { readonly kind: string; readonly apiVersion: string }> = new Map([
  ['replicasets', { kind: 'ReplicaSet', apiVersion: 'apps/v1' }],
  ['statefulsets', { kind: 'StatefulSet', apiVersion: 'apps/v1' }],
  ['replicationcontrollers', { kind: 'ReplicationController', apiVersion: 'v1' }],
])

/** Actions that give a workload the pods it asks for. */
export interface PodsPlan {
  readonly create: readonly KubernetesObject[]
  /** Names of surplus pods. */
  readonly remove: readonly string[]
}

/** Plans a workload's pods, given those of its namespace. The pods will never be ready. */
export function planPods(
  resource: string,
  workload: Stored<Workload>,
  found: readonly Stored<KubernetesObject>[],
): PodsPlan {
  const owned = found.filter(
    ({ metadata }) => controllerOf(metadata)?.uid === workload.metadata.uid && metadata.deletionTimestamp == null,
  )
  return resource === 'statefulsets' ? ordinalPods(workload, owned) : replicaPods(resource, workload, owned)
}

// Surplus pods are removed from the end of the list.
function replicaPods(
  resource: string,
  workload: Stored<Workload>,
  owned: readonly Stored<KubernetesObject>[],
): PodsPlan {
  const missing = Math.max(0, replicasOf(workload) - owned.length)
  const create = Array.from({ length: missing }, () =>
    newPod(resource, workload, { generateName: `${workload.metadata.name}-` }),
  )
  return { create, remove: owned.slice(replicasOf(workload)).map(({ metadata }) => metadata.name ?? '') }
}

// With OrderedReady, a pod is created only when its predecessor is ready, so only the first one ever is.
function ordinalPods(workload: Stored<Workload>, owned: readonly Stored<KubernetesObject>[]): PodsPlan {
  const together = workload.spec?.podManagementPolicy === 'Parallel'
  const count = together ? replicasOf(workload) : Math.min(1, replicasOf(workload))
  const names = Array.from({ length: count }, (_, at) => `${workload.metadata.name}-${at}`)
  const there = new Set(owned.map(({ metadata }) => metadata.name ?? ''))
  return {
    create: names
      .filter((name) => !there.has(name))
      .map((name) =>
        newPod('statefulsets', workload, { name, labels: { 'statefulset.kubernetes.io/pod-name': name } }),
      ),
    remove: [...there].filter((name) => !names.includes(name)),
  }
}

function newPod(resource: string, { metadata, spec = {} }: Stored<Workload>, also: ObjectMeta): KubernetesObject {
  const template = (spec.template ?? {}) as { readonly metadata?: ObjectMeta; readonly spec?: object }
  const { name = '', namespace = '', uid = '' } = metadata
  const { labels, annotations } = template.metadata ?? {}
  const owner = { ...podOwners.get(resource)!, name, uid, controller: true, blockOwnerDeletion: true }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...also,
      namespace,
      labels: { ...labels, ...also.labels },
      ...(annotations == null ? {} : { annotations }),
      ownerReferences: [owner],
    },
    spec: template.spec ?? {},
  }
}
