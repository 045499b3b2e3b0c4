import type { GroupResource, GroupVersionResource } from '@hykube/machinery/object'

/** A resource in a place: a logical cluster and, where it is namespaced, a namespace. */
export interface ResourceAt extends GroupVersionResource {
  /** Default: across all namespaces, or none for what is cluster-scoped. */
  readonly namespace?: string | undefined
  /** `*` for all of them, where objects can be listed and watched alone. Default: the client's. */
  readonly cluster?: string | undefined
}

/** One object, or one of its subresources. */
export interface ObjectAt extends ResourceAt {
  readonly name: string
  readonly subresource?: string | undefined
}

/** The path of a resource, an object or a subresource, with its segments encoded. */
export function resourcePath(at: ResourceAt & Partial<ObjectAt>): string {
  const { group, version, resource, namespace, name, subresource, cluster } = at
  const segments = [
    ...(cluster === undefined ? [] : ['clusters', cluster]),
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespace === undefined || namespace === '' ? [] : ['namespaces', namespace]),
    resource,
    ...(name === undefined ? [] : [name]),
  ]
  // A subresource may be a path of its own, as that of a proxy is.
  const rest = subresource === undefined ? [] : subresource.split('/')
  return `/${[...segments, ...rest].map(encodeSegment).join('/')}`
}

/** What messages call a place: `deployments.apps team-a/web`. */
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

// A dot segment would be resolved away on its way, and lead to another object.
function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..')
    throw new TypeError(`${JSON.stringify(segment)} can't be part of a path: give every object its name`)
  return encodeURIComponent(segment).replaceAll('%3A', ':').replaceAll('%2A', '*')
}
