import { groupVersionToText, type KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { decodeObject, type ResourceLocation } from '../../resource/index.ts'

/** Stored bytes of an object with their storage tag. */
export interface StoredBytes {
  readonly bytes: Uint8Array
  readonly tag: number
}

/** Returns the apiVersion that a type is served under. */
export function apiVersionOf(type: ResourceType): string {
  return groupVersionToText(type)
}

/** Returns the storage location of a type's objects. */
export function placeOf({ storage }: ResourceType): ResourceLocation {
  return storage
}

/** True when stored bytes can be sent to clients of this type unchanged. */
export function isServedAsStored(type: ResourceType, tag: number): boolean {
  return tag === type.storage.tag && isStoredVersion(type)
}

/** True when a type is served in its storage version and kind. */
export function isStoredVersion(type: ResourceType): boolean {
  return type.storage.apiVersion === apiVersionOf(type) && type.storage.kind === type.names.kind
}

/** Decodes stored bytes and converts them to the served version. */
export function objectFromStored(type: ResourceType, { bytes, tag }: StoredBytes): KubernetesObject {
  return fromStorage(type, decodeObject(bytes), tag)
}

/** Converts a decoded stored object to the served version. */
export function fromStorage(type: ResourceType, stored: KubernetesObject, tag: number): KubernetesObject {
  if (isServedAsStored(type, tag)) return stored
  const converted = type.storage.fromStorage?.(stored) ?? stored
  const named = { ...converted, apiVersion: apiVersionOf(type), kind: type.names.kind }
  return type.setDefaults(type.prune(named).object)
}

/** Converts an object to its storage version. */
export function toStorage(type: ResourceType, object: KubernetesObject): KubernetesObject {
  if (isStoredVersion(type)) return object
  const converted = type.storage.toStorage?.(object) ?? object
  return { ...converted, apiVersion: type.storage.apiVersion, kind: type.storage.kind }
}
