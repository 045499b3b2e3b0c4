import type { ResourceType } from '@hykube/machinery/resource-type'
import type { ObjectPlace, ResourcePlace } from '../resource/index.ts'

/** What a request for a resource is about: the type, where its objects lie, and which of them. */
export interface Target {
  readonly type: ResourceType
  readonly resource: ResourcePlace
  /** The name is empty for a whole resource, the namespace for cluster-scoped ones and lists across namespaces. */
  readonly place: ObjectPlace
  /** Across all logical clusters. */
  readonly allClusters: boolean
}
