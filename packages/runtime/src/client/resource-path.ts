import type { GroupResource, GroupVersionResource } from '@hykube/machinery/object'

/** A collection: a resource in a logical cluster and, if namespaced, a namespace. */
export interface ResourceAt extends GroupVersionResource {
  /** Default: all namespaces, or none for cluster-scoped resources. */
  readonly namespace?: string | undefined
  /** `*` means all clusters, for list and watch only. Default: the client's. */
  readonly cluster?: string | undefined
}

/** One object, or one of its subresources. */
export interface ObjectAt extends ResourceAt {
  readonly name: string
  readonly subresource?: string | undefined
}

/** Returns the encoded URL path of a collection, an object or a subresource. */
export function resourcePath(at: ResourceAt & Partial<ObjectAt>): string {
  const { group, version, resource, namespace, name, subresource, cluster } = at
  const segments = [
    ...(cluster === undefined ? [] : ['clusters', cluster]),
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespace === undefined || namespace === '' ? [] : ['namespaces', namespace]),
    resource,
    ...(name === undefined ? [] : [name]),
  ]
  // A subresource may contain slashes, such as `proxy/metrics`.
  const rest = subresource === undefined ? [] : subresource.split('/')
  return `/${[...segments, ...rest].map(encodeSegment).join('/')}`
}

/** Formats a collection or object for messages: `deployments.apps team-a/web`. */
export function describePlace({
  group,
  resource,
  namespace,
  name,
  subresource,
}: GroupResource & Partial<ObjectAt>): string {
  const what = group === '' ? resource : `${resource}.${group}`
  const where = [namespace, name].filter((part) => part !== undefined && part !== '').join('/')
  return `${what}${subresource === undefined ? '' : `/${subresource}`}${where === '' ? '' : ` ${where}`}`
}

// URL parsers resolve dot segments, so that the request would address another object.
function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..')
    throw new TypeError(`${JSON.stringify(segment)} is not a valid path segment: set the name of the object`)
  return encodeURIComponent(segment).replaceAll('%3A', ':').replaceAll('%2A', '*')
}
