import type { KubernetesObject } from '@hykube/machinery/object'

/** An object's metadata alone. */
export function partialMetadata(object: KubernetesObject, version = 'v1'): KubernetesObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata ?? {} }
}
