import {
  FieldManager,
  type FieldSet,
  fieldElement,
  fieldSetOf,
  type KindVersions,
  type VersionedObject,
} from '@hykube/machinery/apply'
import type { JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import { apiVersionOf, fromStorage, toStorage } from '../presentation/stored-form.ts'
import type { Target } from '../target.ts'
import { inSteps } from './in-steps.ts'

/**
 * Returns the object with its managed fields after an update by a manager. `current` is absent for a new object;
 * `storedBytes` is its size.
 */
export type ManageUpdate = (
  object: KubernetesObject,
  current: KubernetesObject | undefined,
  storedBytes?: number,
) => Promise<KubernetesObject>

export function managedByUpdate(
  api: Api,
  context: RequestContext,
  target: Target,
  manager: string,
  subresource: string,
): ManageUpdate {
  const fields = fieldManagerOf(api, target, subresource)
  return async (object, current, storedBytes) => {
    const steps = fields.updateInSteps(current as JsonObject | undefined, object as JsonObject, manager)
    return (await inSteps(context, steps, storedBytes)) as KubernetesObject
  }
}

/** Returns the field manager for writes of a type through an endpoint. */
export function fieldManagerOf(api: Api, { type, place }: Target, subresource: string): FieldManager {
  let managers = known.get(type)
  if (managers === undefined) {
    managers = new Map()
    known.set(type, managers)
  }
  let manager = managers.get(subresource)
  if (manager === undefined) {
    manager = createFieldManager(api, type, place.cluster, subresource)
    managers.set(subresource, manager)
  }
  return manager
}

const known = new WeakMap<ResourceType, Map<string, FieldManager>>()

function createFieldManager(api: Api, type: ResourceType, cluster: string, subresource: string): FieldManager {
  const reset = resetFields(type, subresource)
  return new FieldManager({
    kind: { group: type.group, version: type.version, kind: type.names.kind },
    versions: versionsOf(api, type, cluster),
    subresource,
    // Kubernetes compares with Go's zero value, in which nested structs exist.
    empty: type.prune({ apiVersion: apiVersionOf(type), kind: type.names.kind }).object as JsonObject,
    omitTimes: subresource === 'scale',
    now: () => api.clock.now(),
    ...(reset === undefined ? {} : { resetFields: new Map([[apiVersionOf(type), reset]]) }),
  })
}

// Fields that an endpoint ignores get no owner from requests to it.
function resetFields({ subresources }: ResourceType, subresource: string): FieldSet | undefined {
  if (subresource === 'status') return fieldSetOf([fieldElement('spec')], [fieldElement('metadata')])
  return subresources.has('status') ? fieldSetOf([fieldElement('status')]) : undefined
}

function versionsOf(api: Api, type: ResourceType, cluster: string): KindVersions {
  const find = (apiVersion: string): ResourceType | undefined => {
    if (apiVersion === apiVersionOf(type)) return type
    for (const other of api.types.types(cluster))
      if (apiVersionOf(other) === apiVersion && isSameKind(other, type)) return other
    return undefined
  }
  return {
    shape: (apiVersion) => find(apiVersion)?.shape(),
    convert: (object, apiVersion) => convert(object, find(object.apiVersion), find(apiVersion)),
  }
}

function convert(
  { value }: VersionedObject,
  from: ResourceType | undefined,
  to: ResourceType | undefined,
): JsonObject | undefined {
  if (from === undefined || to === undefined) return undefined
  return fromStorage(to, toStorage(from, value as KubernetesObject), to.storage.tag) as JsonObject
}

function isSameKind(a: ResourceType, b: ResourceType): boolean {
  return (
    a.names.kind === b.names.kind && a.storage.group === b.storage.group && a.storage.resource === b.storage.resource
  )
}
