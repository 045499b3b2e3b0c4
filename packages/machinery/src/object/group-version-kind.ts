/** An API group and one of its versions. The core group is the empty string. */
export interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** A kind within a group and version. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string
}

/** A resource, the plural in URLs, within a group and version. */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string
}

/** A resource without its version. */
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

/** Parses an apiVersion: `apps/v1`, or `v1` for the core group; undefined when it has more than one slash. */
export function groupVersionFromText(apiVersion: string): GroupVersion | undefined {
  // Kubernetes parses a lone slash as an empty group and version.
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' }
  const slash = apiVersion.indexOf('/')
  if (slash === -1) return { group: '', version: apiVersion }
  if (apiVersion.includes('/', slash + 1)) return undefined
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) }
}

/** Formats an apiVersion: `apps/v1`, or `v1` for the core group. */
export function groupVersionToText({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

/** Formats a kind as in Kubernetes' messages: `apps/v1, Kind=Deployment`. */
export function groupVersionKindToText(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`
}

/** Formats a resource as `deployments.apps`, or `pods` for the core group. */
export function groupResourceToText({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`
}

/**
 * Compares versions by Kubernetes' priority, the preferred first: stable before beta before alpha, higher numbers before
 * lower, and versions of another form than `v1` or `v1beta2` last, in alphabetical order.
 */
export function compareVersions(a: string, b: string): number {
  const left = versionParts(a)
  const right = versionParts(b)
  if (left === undefined && right === undefined) return a < b ? -1 : a > b ? 1 : 0
  if (left === undefined) return 1
  if (right === undefined) return -1
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor
}

function versionParts(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version)
  if (match === null) return undefined
  const stage = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) }
}
