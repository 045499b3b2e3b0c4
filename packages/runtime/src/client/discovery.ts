import { groupVersionFromText } from '@hykube/machinery/object'
import { StatusError } from '@hykube/machinery/status'

/** A resource of a server, in one version. */
export interface ApiResource {
  readonly group: string
  readonly version: string
  readonly resource: string
  /** The singular name, if the server reports it. */
  readonly singular?: string
  /** Short names, if the server reports them. */
  readonly shortNames?: readonly string[]
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly string[]
  /** True for the preferred version of the group. */
  readonly preferred: boolean
}

/** The result of discovery. Groups whose aggregated server did not answer are in `failures`, without their resources. */
export interface Discovered {
  readonly resources: readonly ApiResource[]
  readonly failures: readonly DiscoveryFailure[]
}

/** A group and version whose discovery failed. */
export interface DiscoveryFailure {
  readonly groupVersion: string
  readonly message: string
}

type Fetch = (path: string, accept: string) => Promise<object>

/** Discovers all resources: in two requests with aggregated discovery, or version by version from older servers. */
export async function discover(fetch: Fetch): Promise<Discovered> {
  const [core, groups] = await Promise.all(['/api', '/apis'].map((path) => fetch(path, aggregatedAccept)))
  const answers = [core as AnyDocument, groups as AnyDocument]
  const found = await Promise.all(
    answers.map((answer) =>
      answer.kind === 'APIGroupDiscoveryList' ? fromAggregated(answer) : fromLegacy(fetch, answer),
    ),
  )
  return { resources: found.flatMap((each) => each.resources), failures: found.flatMap((each) => each.failures) }
}

const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',')

interface AnyDocument {
  readonly kind?: string
  readonly items?: readonly AggregatedGroup[]
  readonly versions?: readonly string[]
  readonly groups?: readonly LegacyGroup[]
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string }
  readonly versions?: readonly {
    readonly version: string
    readonly freshness?: string
    readonly resources?: readonly AggregatedResource[]
  }[]
}

interface AggregatedResource {
  readonly resource: string
  readonly singularResource?: string
  readonly shortNames?: readonly string[]
  readonly responseKind?: { readonly kind: string }
  readonly scope: string
  readonly verbs?: readonly string[]
  readonly subresources?: readonly { readonly subresource: string }[]
}

function fromAggregated({ items = [] }: AnyDocument): Discovered {
  const resources: ApiResource[] = []
  const failures: DiscoveryFailure[] = []
  for (const { metadata, versions = [] } of items)
    for (const [index, { version, freshness, resources: rows = [] }] of versions.entries()) {
      const group = metadata?.name ?? ''
      const common = { group, version, preferred: index === 0 }
      resources.push(...rows.map((row) => ({ ...common, ...fromRow(row) })))
      if (freshness === 'Stale')
        failures.push({
          groupVersion: textOf(group, version),
          message: 'the API server of this group does not respond',
        })
    }
  return { resources, failures }
}

function fromRow({
  resource,
  singularResource: singular,
  shortNames,
  responseKind,
  scope,
  verbs = [],
  subresources = [],
}: AggregatedResource) {
  return {
    resource,
    ...(singular !== undefined && { singular }),
    ...(shortNames !== undefined && { shortNames }),
    kind: responseKind?.kind ?? '',
    namespaced: scope === 'Namespaced',
    verbs,
    subresources: subresources.map(({ subresource }) => subresource),
  }
}

interface LegacyGroup {
  readonly name: string
  readonly versions?: readonly { readonly groupVersion: string; readonly version: string }[]
  readonly preferredVersion?: { readonly version: string }
}

interface LegacyList {
  readonly resources?: readonly LegacyResource[]
}

interface LegacyResource {
  readonly name: string
  readonly singularName?: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs?: readonly string[]
}

async function fromLegacy(fetch: Fetch, { versions, groups }: AnyDocument): Promise<Discovered> {
  const listed = [
    ...(versions ?? []).map((version, index) => ({
      path: `/api/${version}`,
      group: '',
      version,
      preferred: index === 0,
    })),
    ...(groups ?? []).flatMap(legacyVersions),
  ]
  const found = await Promise.all(listed.map((each) => fromVersion(fetch, each)))
  return { resources: found.flatMap((each) => each.resources), failures: found.flatMap((each) => each.failures) }
}

interface ListedVersion {
  readonly path: string
  readonly group: string
  readonly version: string
  readonly preferred: boolean
}

function legacyVersions({ name, versions = [], preferredVersion }: LegacyGroup): ListedVersion[] {
  return versions.map(({ groupVersion }) => {
    const version = groupVersionFromText(groupVersion)?.version ?? ''
    return { path: `/apis/${groupVersion}`, group: name, version, preferred: version === preferredVersion?.version }
  })
}

async function fromVersion(fetch: Fetch, { path, group, version, preferred }: ListedVersion): Promise<Discovered> {
  try {
    const { resources = [] } = (await fetch(path, 'application/json')) as LegacyList
    const main = resources.filter(({ name }) => !name.includes('/'))
    const rows = main.map(({ name, singularName: singular, kind, namespaced, verbs = [] }) => {
      const prefix = `${name}/`
      const subresources = resources
        .filter((each) => each.name.startsWith(prefix))
        .map((each) => each.name.slice(prefix.length))
      const more = singular === undefined ? {} : { singular }
      return { group, version, resource: name, ...more, kind, namespaced, verbs, subresources, preferred }
    })
    return { resources: rows, failures: [] }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    // The version was removed between the two requests: not a failure.
    const failures =
      error.reason === 'NotFound' ? [] : [{ groupVersion: textOf(group, version), message: error.message }]
    return { resources: [], failures }
  }
}

function textOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}
