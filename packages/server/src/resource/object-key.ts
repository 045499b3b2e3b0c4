import { decodeKey, encodeKey, type Key, type Range } from '../storage/index.ts'
import { objectSpace, secretSpace } from './spaces.ts'

/** A resource, independent of cluster and namespace. */
export interface ResourceLocation {
  readonly group: string
  readonly resource: string
  /** Distinguishes resources of equal names but different origin. Empty for resources of the server itself. */
  readonly identity?: string
  /** True when values are encrypted at rest. Default false. */
  readonly encrypted?: boolean
}

/** Location of an object: logical cluster, namespace (empty for cluster-scoped objects) and name. */
export interface ObjectLocation {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
}

/** Returns the storage key of an object. */
export function objectKey(resource: ResourceLocation, object: ObjectLocation): Key {
  const { group, resource: plural, identity = '' } = resource
  return encodeKey(spaceOf(resource), [group, plural, identity, object.cluster, object.namespace, object.name])
}

/** Returns the key range of a resource: in all clusters, in one, or in one of its namespaces. */
export function objectRange(resource: ResourceLocation, cluster?: string, namespace?: string): Range {
  const { group, resource: plural, identity = '' } = resource
  const place = cluster === undefined ? [] : namespace === undefined ? [cluster] : [cluster, namespace]
  return { space: spaceOf(resource), prefix: [group, plural, identity, ...place] }
}

/** Returns the key range of all resources of a group: in all clusters, in one, or in one of its namespaces. */
export function groupRange(group: string, cluster?: string, namespace?: string): Range {
  const place = cluster === undefined ? [] : namespace === undefined ? [cluster] : [cluster, namespace]
  const prefix = place.length === 0 ? [group] : [group, undefined, undefined, ...place]
  return { space: objectSpace.name, prefix }
}

/** Decodes an object's key. */
export function objectFromKey(key: Key): ResourceLocation & ObjectLocation {
  const { space, segments } = decodeKey(key)
  const [group = '', resource = '', identity = '', cluster = '', namespace = '', name = ''] = segments
  return { group, resource, identity, cluster, namespace, name, encrypted: space === secretSpace.name }
}

function spaceOf(resource: ResourceLocation): string {
  return resource.encrypted ? secretSpace.name : objectSpace.name
}
