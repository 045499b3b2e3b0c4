import type { KubernetesObject } from '@hykube/machinery/object'

/** Takes from what a client sent the part that an endpoint is for; everything else stays as it is. */
export type TakePart = (given: KubernetesObject, current: KubernetesObject) => KubernetesObject
