import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { Api } from '../api.ts'

/** The object with its managed fields after an update by some manager; `current` is absent when it is created. */
export type ManageUpdate = (object: KubernetesObject, current: KubernetesObject | undefined) => KubernetesObject

export function managedByUpdate(_api: Api, _type: ResourceType, _manager: string, _subresource: string): ManageUpdate {
  return (object) => object
}
