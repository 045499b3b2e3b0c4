import type { KubernetesObject } from '@hykube/machinery/object'

/** Merges the part that a subresource updates from the client's object into the current one. */
export type PartUpdate = (given: KubernetesObject, current: KubernetesObject) => KubernetesObject
