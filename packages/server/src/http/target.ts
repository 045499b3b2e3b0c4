import type { ResourceType } from '@hykube/machinery/resource-type'
import type { ResourceName } from '@hykube/machinery/status'
import type { ObjectLocation, ResourceLocation } from '../resource/index.ts'

/** The resource that a request addresses: type, location, and object or collection. */
export interface Target {
  readonly type: ResourceType
  readonly resource: ResourceLocation
  /**
   * The name is empty for a collection; the namespace is empty for cluster-scoped resources and lists across
   * namespaces.
   */
  readonly place: ObjectLocation
  /** True for requests across all logical clusters. */
  readonly allClusters: boolean
  /**
   * Type of this resource in another logical cluster, which may have its own definitions. Undefined where it is not
   * served.
   */
  readonly typeIn: (cluster: string) => ResourceType | undefined
}

/** Resource name for error messages. */
export function resourceNameOf({ type }: Pick<Target, 'type'>): ResourceName {
  return { group: type.group, resource: type.names.plural }
}

/** Kind name for error messages about fields. */
export function kindNameOf({ type }: Pick<Target, 'type'>): { readonly group: string; readonly kind: string } {
  return { group: type.group, kind: type.names.kind }
}
