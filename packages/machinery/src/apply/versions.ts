import type { JsonObject } from '../json/index.ts'
import type { TypeShape } from '../object/index.ts'

/** An object in one of the versions of its kind. */
export interface VersionedObject {
  readonly apiVersion: string
  readonly value: JsonObject
}

/** The versions of a kind, as far as ownership of fields needs them. Asked once for each version per write. */
export interface KindVersions {
  /** The shape of whole objects in a version; undefined when the version is not served any more. */
  shape(apiVersion: string): TypeShape | undefined
  /** An object in another version; undefined when that version is not served any more. Throws when it can't be converted. */
  convert(object: VersionedObject, apiVersion: string): JsonObject | undefined
}

/** The versions of a kind that has one only. */
export function singleVersion(apiVersion: string, shape: TypeShape): KindVersions {
  return {
    shape: (asked) => (asked === apiVersion ? shape : undefined),
    convert: (object, asked) => (asked === apiVersion ? object.value : undefined),
  }
}

/** An object in a version, itself when it is in that version already; undefined when the version is gone. */
export function toVersion(
  versions: KindVersions,
  object: VersionedObject,
  apiVersion: string,
): VersionedObject | undefined {
  if (object.apiVersion === apiVersion) return object
  const value = versions.convert(object, apiVersion)
  return value === undefined ? undefined : { apiVersion, value }
}
