import { badRequest } from '@hykube/machinery/status'

/** A parsed path: a resource of the API, or any other path. The cluster is a name, or `*` for all clusters. */
export type RequestPath = ResourcePath | OtherPath

export interface ResourcePath {
  readonly kind: 'resource'
  readonly cluster: string
  readonly group: string
  readonly version: string
  readonly resource: string
  /**
   * Empty for cluster-scoped resources and lists across namespaces. For paths of a core Namespace it is the namespace's
   * own name.
   */
  readonly namespace: string
  /** True for `namespaces/<namespace>/<resource>…`, so false for the path of a Namespace itself. */
  readonly isInNamespace: boolean
  /** Empty for a collection. */
  readonly name: string
  readonly subresource: string
  /** Path below the subresource. */
  readonly rest: string
}

export interface OtherPath {
  readonly kind: 'other'
  readonly cluster: string
  /** Starts with a slash; each segment is decoded. */
  readonly path: string
  readonly segments: readonly string[]
}

/** Logical cluster of a request that names none. */
export const rootCluster = 'root'

/** Parses a path. Segments are decoded once, after splitting: an encoded slash is part of a name, never a separator. */
export function parseRequestPath(path: string, defaultCluster = rootCluster): RequestPath {
  let segments = splitPath(path)
  let cluster = defaultCluster
  if (segments[0] === 'clusters' && segments.length > 1) {
    cluster = segments[1]!
    segments = segments.slice(2)
  }
  return parseResource(cluster, segments) ?? { kind: 'other', cluster, path: `/${segments.join('/')}`, segments }
}

/** Returns the logical cluster named in a path, or undefined. */
export function clusterInPath(path: string): string | undefined {
  // Decoded like the path itself: authentication depends on the cluster, so no other spelling of its name may bypass
  // that.
  const [, first = '', name] = path.split('/', 3)
  if (name === undefined || (name === '' && path.endsWith('/')) || decodeSegment(first) !== 'clusters') return undefined
  return decodeSegment(name)
}

function parseResource(cluster: string, segments: readonly string[]): ResourcePath | undefined {
  if (segments[0] === 'api' && segments.length > 2) return resourcePath(cluster, '', segments[1]!, segments.slice(2))
  if (segments[0] === 'apis' && segments.length > 3)
    return resourcePath(cluster, segments[1]!, segments[2]!, segments.slice(3))
  return undefined
}

function resourcePath(cluster: string, group: string, version: string, rest: readonly string[]): ResourcePath {
  const place = { kind: 'resource', cluster, group, version } as const
  // `namespaces/<n>/<resource>` is inside a namespace, except for the subresources of a Namespace itself.
  if (rest[0] === 'namespaces' && rest.length > 2 && !namespaceSubresources.has(rest[2]!))
    return { ...place, namespace: rest[1]!, isInNamespace: true, ...named(rest.slice(2)) }
  // A role in a namespace covers the Namespace object itself. A resource called `namespaces` of another group is
  // unrelated to it.
  const namespace = group === '' && rest[0] === 'namespaces' ? (rest[1] ?? '') : ''
  return { ...place, namespace, isInNamespace: false, ...named(rest) }
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

function named([resource = '', name = '', subresource = '', ...rest]: readonly string[]) {
  return { resource, name, subresource, rest: rest.join('/') }
}

function splitPath(path: string): string[] {
  const segments = path.split('/').slice(1)
  // A trailing slash is ignored; doubled slashes and dot segments are not served.
  if (segments.at(-1) === '') segments.pop()
  return segments.map(decodeSegment)
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest(`invalid URL escape in path segment ${JSON.stringify(segment)}`)
  }
}
