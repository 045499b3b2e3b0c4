import type { JsonObject } from '../json/index.ts'
import type { TypeShape } from '../schema/index.ts'

/** An object and the version that it is in. */
export interface VersionedObject {
  readonly apiVersion: string
  readonly value: JsonObject
}

/** Access to the versions of a kind for field ownership. Called once for each version per write. */
export interface KindVersions {
  /** Returns the shape of objects in a version; undefined when the version is no longer served. */
  shape(apiVersion: string): TypeShape | undefined
  /** Converts an object; undefined when the version is no longer served. Throws when the conversion fails. */
  convert(object: VersionedObject, apiVersion: string): JsonObject | undefined
}

/** Converts an object unless it is in the version already; undefined when the version is no longer served. */
export function toVersion(
  versions: KindVersions,
  object: VersionedObject,
  apiVersion: string,
): VersionedObject | undefined {
  if (object.apiVersion === apiVersion) return object
  const value = versions.convert(object, apiVersion)
  return value === undefined ? undefined : { apiVersion, value }
}
