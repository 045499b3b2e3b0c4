import { groupVersionToText, type KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { decodeObject, type ResourcePlace } from '../../resource/index.ts'

/** Bytes of an object with the tag they were stored under. */
export interface StoredBytes {
  readonly bytes: Uint8Array
  readonly tag: number
}

/** The apiVersion that a type is served under. */
export function apiVersionOf(type: ResourceType): string {
  return groupVersionToText(type)
}

/** Where the objects of a type lie. */
export function placeOf({ storage }: ResourceType): ResourcePlace {
  return storage
}

/** Whether stored bytes are what a client of this type reads, as they are. */
export function isServedAsStored(type: ResourceType, tag: number): boolean {
  return tag === type.storage.tag && isStoredVersion(type)
}

/** Whether a type is served in the version and kind it is stored in. */
export function isStoredVersion(type: ResourceType): boolean {
  return type.storage.apiVersion === apiVersionOf(type) && type.storage.kind === type.names.kind
}

/** A stored object as a client of this type reads it. */
export function objectFromStored(type: ResourceType, { bytes, tag }: StoredBytes): KubernetesObject {
  return fromStorage(type, decodeObject(bytes), tag)
}

/** The same from an object that is decoded already. */
export function fromStorage(type: ResourceType, stored: KubernetesObject, tag: number): KubernetesObject {
  if (isServedAsStored(type, tag)) return stored
  const converted = type.storage.fromStorage?.(stored) ?? stored
  const named = { ...converted, apiVersion: apiVersionOf(type), kind: type.names.kind }
  return type.setDefaults(type.prune(named).object)
}

/** An object of this type as it is stored. */
export function toStorage(type: ResourceType, object: KubernetesObject): KubernetesObject {
  if (isStoredVersion(type)) return object
  const converted = type.storage.toStorage?.(object) ?? object
  return { ...converted, apiVersion: type.storage.apiVersion, kind: type.storage.kind }
}
