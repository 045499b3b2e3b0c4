import type { KubernetesObject } from '@hykube/machinery/object'

/** Says to which logical cluster an object belongs, where objects of several are seen together. */
export const clusterAnnotation = 'kcp.io/cluster'

/** The object with its logical cluster written on it. */
export function withCluster(object: KubernetesObject, cluster: string): KubernetesObject {
  const metadata = object.metadata ?? {}
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [clusterAnnotation]: cluster } },
  }
}
