import { clusterAnnotation, type KubernetesObject } from '@hykube/machinery/object'

/** Returns the object with the cluster annotation. */
export function withCluster(object: KubernetesObject, cluster: string): KubernetesObject {
  const metadata = object.metadata ?? {}
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [clusterAnnotation]: cluster } },
  }
}
