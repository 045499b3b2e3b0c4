import { decodeKey, encodeKey, type Key, type Range } from '../storage/index.ts'
import { objectSpace, secretSpace } from './spaces.ts'

/** A resource of a logical cluster, wherever its objects lie. */
export interface ResourcePlace {
  readonly group: string
  readonly resource: string
  /** Tells apart same-named resources of different origin. Empty for what the server itself defines. */
  readonly identity?: string
  /** Whether values are encrypted at rest. Default false. */
  readonly encrypted?: boolean
}

/** One object: a resource, its logical cluster, namespace (empty for cluster-scoped ones) and name. */
export interface ObjectPlace {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
}

/** The key of an object. */
export function objectKey(resource: ResourcePlace, object: ObjectPlace): Key {
  const { group, resource: plural, identity = '' } = resource
  return encodeKey(spaceOf(resource), [group, plural, identity, object.cluster, object.namespace, object.name])
}

/** The range of a resource: in all clusters, in one, or in one namespace of it. */
export function objectRange(resource: ResourcePlace, cluster?: string, namespace?: string): Range {
  const { group, resource: plural, identity = '' } = resource
  const place = cluster === undefined ? [] : namespace === undefined ? [cluster] : [cluster, namespace]
  return { space: spaceOf(resource), prefix: [group, plural, identity, ...place] }
}

/** What a key of an object says. */
export function objectFromKey(key: Key): ResourcePlace & ObjectPlace {
  const { space, segments } = decodeKey(key)
  const [group = '', resource = '', identity = '', cluster = '', namespace = '', name = ''] = segments
  return { group, resource, identity, cluster, namespace, name, encrypted: space === secretSpace.name }
}

function spaceOf(resource: ResourcePlace): string {
  return resource.encrypted ? secretSpace.name : objectSpace.name
}
