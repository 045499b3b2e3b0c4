import type { TypeShape } from '../../schema/index.ts'
import type { KindVersions } from '../versions.ts'

/** Returns the versions of a kind that has only one. */
export function singleVersion(apiVersion: string, shape: TypeShape): KindVersions {
  return {
    shape: (asked) => (asked === apiVersion ? shape : undefined),
    convert: (object, asked) => (asked === apiVersion ? object.value : undefined),
  }
}
