import type { KubernetesObject } from '@hykube/machinery/object'

/** Where an object is: the logical cluster (empty when nothing tells), namespace (empty for none) and name. */
export interface ObjectRef {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
}

/** The annotation that says which logical cluster an object is from. */
export const clusterAnnotation = 'kcp.io/cluster'

/** Where an object says it is. */
export function refOf({ metadata }: KubernetesObject, cluster = ''): ObjectRef {
  return {
    cluster: metadata?.annotations?.[clusterAnnotation] ?? (cluster === '*' ? '' : cluster),
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
  }
}

/** A place as one text, for maps and queues: `cluster/namespace/name`. None of the parts can hold a slash. */
export function refToKey({ cluster, namespace, name }: ObjectRef): string {
  return `${cluster}/${namespace}/${name}`
}

/** The place that a key stands for. */
export function refFromKey(key: string): ObjectRef {
  const [cluster = '', namespace = '', name = ''] = key.split('/')
  return { cluster, namespace, name }
}
