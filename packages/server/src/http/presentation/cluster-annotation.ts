import type { KubernetesObject } from '@hykube/machinery/object'

/** Names the logical cluster of an object in responses across clusters. */
export const clusterAnnotation = 'kcp.io/cluster'

/** Returns the object with the cluster annotation. */
export function withCluster(object: KubernetesObject, cluster: string): KubernetesObject {
  const metadata = object.metadata ?? {}
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [clusterAnnotation]: cluster } },
  }
}
