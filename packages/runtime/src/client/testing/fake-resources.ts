import type { ApiResource } from '../discovery.ts'

/** Returns a discovery entry with all verbs and a status subresource. */
export function apiResource(groupVersion: string, resource: string, kind: string, namespaced = true): ApiResource {
  const [version = '', group = ''] = groupVersion.split('/').reverse()
  return { group, version, resource, kind, namespaced, verbs: usualVerbs, subresources: ['status'], preferred: true }
}

const usualVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** The kinds that controller tests commonly use. */
export const commonResources: readonly ApiResource[] = [
  apiResource('v1', 'namespaces', 'Namespace', false),
  apiResource('v1', 'nodes', 'Node', false),
  apiResource('v1', 'pods', 'Pod'),
  apiResource('v1', 'configmaps', 'ConfigMap'),
  apiResource('v1', 'secrets', 'Secret'),
  apiResource('v1', 'services', 'Service'),
  apiResource('v1', 'events', 'Event'),
  apiResource('v1', 'serviceaccounts', 'ServiceAccount'),
  apiResource('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  apiResource('v1', 'replicationcontrollers', 'ReplicationController'),
  apiResource('apps/v1', 'deployments', 'Deployment'),
  apiResource('apps/v1', 'replicasets', 'ReplicaSet'),
  apiResource('apps/v1', 'statefulsets', 'StatefulSet'),
  apiResource('apps/v1', 'daemonsets', 'DaemonSet'),
  apiResource('batch/v1', 'jobs', 'Job'),
  apiResource('rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', false),
]
