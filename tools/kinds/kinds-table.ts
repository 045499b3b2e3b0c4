import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A served kind, from the discovery files. */
export interface KindFacts {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly storageVersionHash: string
  readonly subresources: readonly SubresourceFacts[]
}

/** A subresource and the kind of its responses. */
export interface SubresourceFacts {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}

/** Versions whose kinds are served; the others are alpha, beta or deprecated. */
const servedVersions = new Set(['v1', 'v2'])

/** Not served here, because they depend on nodes or other API servers. */
const leftOut = new Set(['componentstatuses', 'storageversions', 'storageversionmigrations'])
const leftOutSubresources = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

/** Reads the kinds of the release in discovery order: the core group, then groups by preference. */
export function readKinds(kubernetes: string): KindFacts[] {
  const directory = join(kubernetes, 'api/discovery')
  const groups = readJson<{ groups: { name: string; versions: { version: string }[] }[] }>(join(directory, 'apis.json'))
  const kinds = readGroupVersion(join(directory, 'api__v1.json'), '', 'v1')
  for (const { name, versions } of groups.groups) {
    for (const { version } of versions.filter((entry) => servedVersions.has(entry.version))) {
      kinds.push(...readGroupVersion(join(directory, `apis__${name}__${version}.json`), name, version))
    }
  }
  return kinds
}

/** Formats kinds as lines of the generated table, which the server's kind-table.ts reads. */
export function kindLines(kinds: readonly KindFacts[]): string[] {
  return kinds.map((kind) =>
    [
      kind.group || '-',
      kind.version,
      kind.kind,
      kind.plural,
      kind.singular,
      kind.namespaced ? 'N' : 'C',
      verbLetters(kind.verbs),
      kind.shortNames.join('+') || '-',
      kind.categories.join('+') || '-',
      kind.storageVersionHash || '-',
      kind.subresources.map((sub) => subresourceText(kind, sub)).join('+') || '-',
    ].join(' '),
  )
}

interface DiscoveryResource {
  readonly name: string
  readonly kind: string
  readonly group?: string
  readonly version?: string
  readonly namespaced: boolean
  readonly singularName: string
  readonly verbs: string[]
  readonly shortNames?: string[]
  readonly categories?: string[]
  readonly storageVersionHash?: string
}

function readGroupVersion(file: string, group: string, version: string): KindFacts[] {
  const { resources } = readJson<{ resources: DiscoveryResource[] }>(file)
  const subresourcesOf = (plural: string): SubresourceFacts[] =>
    resources
      .filter((resource) => resource.name.startsWith(`${plural}/`))
      .map((resource) => ({
        name: resource.name.slice(plural.length + 1),
        group: resource.group ?? group,
        version: resource.version ?? version,
        kind: resource.kind,
        verbs: resource.verbs,
      }))
      .filter((subresource) => !leftOutSubresources.has(subresource.name))
  return resources
    .filter((resource) => !resource.name.includes('/') && !leftOut.has(resource.name))
    .map((resource) => ({
      group,
      version,
      kind: resource.kind,
      plural: resource.name,
      singular: resource.singularName,
      namespaced: resource.namespaced,
      verbs: resource.verbs,
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      storageVersionHash: resource.storageVersionHash ?? '',
      subresources: subresourcesOf(resource.name),
    }))
}

const letters: Readonly<Record<string, string>> = {
  create: 'c',
  delete: 'd',
  deletecollection: 'D',
  get: 'g',
  list: 'l',
  patch: 'p',
  update: 'u',
  watch: 'w',
}

function verbLetters(verbs: readonly string[]): string {
  return verbs.map((verb) => letters[verb]!).join('')
}

function subresourceText(kind: KindFacts, sub: SubresourceFacts): string {
  const text = `${sub.name}:${verbLetters(sub.verbs)}`
  if (sub.kind === kind.kind && sub.group === kind.group) return text
  return `${text}:${sub.group || '-'}/${sub.version}/${sub.kind}`
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T
}
