import type { KubernetesObject } from '@hykube/machinery/object'

/** Returns the PartialObjectMetadata of an object. */
export function partialMetadata(object: KubernetesObject, version = 'v1'): KubernetesObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata ?? {} }
}
