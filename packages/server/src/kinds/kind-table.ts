import { kindLines } from './generated/kinds.generated.ts'
import { typeFacts } from './type-table.ts'

/** Discovery information of a built-in kind, parsed from the generated table. */
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
  /** Empty for kinds that are never stored. */
  readonly storageVersionHash: string
  readonly subresources: readonly SubresourceFacts[]
  /** Type name in OpenAPI. */
  readonly typeName: string
}

/** A subresource and the kind of its responses. */
export interface SubresourceFacts {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}

/** Returns the built-in kinds: the core group first, other groups in the order of client preference. */
export function builtInKinds(): readonly KindFacts[] {
  kinds ??= kindLines.split('\n').map(parseKind)
  return kinds
}

/** Returns the OpenAPI type name of a kind in one of Kubernetes' own groups. */
export function typeNameOf(group: string, version: string, kind: string): string {
  const typePackage = packages[group] ?? `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}`
  return `${typePackage}.${version}.${kind}`
}

/**
 * Returns true when kube-apiserver's decoder knows the kind. Objects of apiextensions.k8s.io are decoded with a
 * separate scheme, which knows that group only.
 */
export function isRegistered(apiVersion: string, kind: string, readFor: string): boolean {
  const slash = apiVersion.indexOf('/')
  const group = slash === -1 ? '' : apiVersion.slice(0, slash)
  if (readFor === definitions && group !== definitions) return false
  return isKind(typeNameOf(group, apiVersion.slice(slash + 1), kind)) || isKind(typeNameOf('meta.k8s.io', 'v1', kind))
}

/** Returns the name of the internal Go package of a group, which appears in kube-apiserver's messages. */
export function internalPackageOf(group: string): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : group.split('.')[0]!
}

function isKind(typeName: string): boolean {
  return typeFacts(typeName)?.fields.some(({ name, number }) => name === 'kind' && number === 0) ?? false
}

const definitions = 'apiextensions.k8s.io'

let kinds: readonly KindFacts[] | undefined

const packages: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  'flowcontrol.apiserver.k8s.io': 'io.k8s.api.flowcontrol',
  'meta.k8s.io': 'io.k8s.apimachinery.pkg.apis.meta',
}

function parseKind(line: string): KindFacts {
  const [group, version, kind, plural, singular, scope, verbs, shortNames, categories, hash, subresources] = line
    .split(' ')
    .map((column) => (column === '-' ? '' : column)) as [string, string, string, ...string[]]
  return {
    group,
    version,
    kind,
    plural: plural!,
    singular: singular!,
    namespaced: scope === 'N',
    verbs: parseVerbs(verbs!),
    shortNames: parseList(shortNames!),
    categories: parseList(categories!),
    storageVersionHash: hash!,
    subresources: parseList(subresources!).map((text) => parseSubresource(text, { group, version, kind })),
    typeName: typeNameOf(group, version, kind),
  }
}

function parseSubresource(text: string, owner: { group: string; version: string; kind: string }): SubresourceFacts {
  const [name = '', verbs = '', gvk] = text.split(':')
  const [group, version, kind] = gvk?.split('/') ?? []
  return {
    name,
    verbs: parseVerbs(verbs),
    group: group === undefined ? owner.group : group === '-' ? '' : group,
    version: version ?? owner.version,
    kind: kind ?? owner.kind,
  }
}

function parseList(text: string): string[] {
  return text === '' ? [] : text.split('+')
}

const verbNames: Readonly<Record<string, string>> = {
  c: 'create',
  d: 'delete',
  D: 'deletecollection',
  g: 'get',
  l: 'list',
  p: 'patch',
  u: 'update',
  w: 'watch',
}

function parseVerbs(letters: string): string[] {
  return [...letters].map((letter) => verbNames[letter]!)
}
