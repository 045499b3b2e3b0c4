import { clusterAnnotation, type KubernetesObject } from '@hykube/machinery/object'

/** The identity of an object: logical cluster (empty when unknown), namespace (empty for none) and name. */
export interface ObjectRef {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
}

/** Returns the reference of an object; `cluster` is used when the object has no cluster annotation. */
export function refOf({ metadata }: KubernetesObject, cluster = ''): ObjectRef {
  return {
    cluster: metadata?.annotations?.[clusterAnnotation] ?? (cluster === '*' ? '' : cluster),
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
  }
}

/** Formats a reference as a key for maps and queues: `cluster/namespace/name`. None of the parts can contain a slash. */
export function refToKey({ cluster, namespace, name }: ObjectRef): string {
  return `${cluster}/${namespace}/${name}`
}

/** Parses a key of {@link refToKey}. */
export function refFromKey(key: string): ObjectRef {
  const [cluster = '', namespace = '', name = ''] = key.split('/')
  return { cluster, namespace, name }
}
