import type { ResourceType } from '@hykube/machinery/resource-type'
import type { ResourceName } from '@hykube/machinery/status'
import type { ObjectPlace, ResourcePlace } from '../resource/index.ts'

/** What a request for a resource is about: the type, where its objects lie, and which of them. */
export interface Target {
  readonly type: ResourceType
  readonly resource: ResourcePlace
  /** The name is empty for a whole resource, the namespace for cluster-scoped ones and lists across namespaces. */
  readonly place: ObjectPlace
  /** Across all logical clusters. */
  readonly allClusters: boolean
  /** The type as a logical cluster has it: each has definitions of its own. Undefined where it is not served. */
  readonly typeIn: (cluster: string) => ResourceType | undefined
}

/** The resource of a target as messages name it. */
export function resourceNameOf({ type }: Pick<Target, 'type'>): ResourceName {
  return { group: type.group, resource: type.names.plural }
}

/** The kind of a target as messages about its fields name it. */
export function kindNameOf({ type }: Pick<Target, 'type'>): { readonly group: string; readonly kind: string } {
  return { group: type.group, kind: type.names.kind }
}
