import type { KindCatalogue, ResourceKind, WantedKind } from '../model/index.ts'

/** A kind whose objects can be listed. */
export type ListedKind = Pick<ResourceKind, 'provider' | 'type' | 'data' | 'group' | 'resource' | 'kind'>

/** The kinds of all served Providers, by logical cluster. */
export class ServedKinds implements KindCatalogue {
  readonly #clusters = new Map<string, Map<string, ProviderKinds>>()
  readonly #leaving = new Set<string>()
  readonly #ends = new Map<string, AbortController>()

  /** Replaces the kinds of a Provider; empty lists remove them. `former`: types it no longer has, whose objects are readable. */
  serve(cluster: string, provider: string, kinds: readonly ResourceKind[], former: readonly ListedKind[] = []): void {
    let providers = this.#clusters.get(cluster)
    if (providers === undefined) {
      providers = new Map()
      this.#clusters.set(cluster, providers)
    }
    if (kinds.length === 0 && former.length === 0) providers.delete(provider)
    else {
      const own = kinds.map((kind) => withShared(kind, isSharedIn(providers, kind)))
      providers.set(provider, new ProviderKinds(own, former))
    }
    this.#end(cluster)
  }

  /** Aborts when the kinds of a cluster change; of any cluster for `*`. */
  endOf(cluster: string): AbortSignal {
    const end = this.#ends.get(cluster) ?? new AbortController()
    this.#ends.set(cluster, end)
    return end.signal
  }

  /** The groups of a cluster's kinds in byte order; those of all clusters for `*`. */
  groups(cluster: string): readonly string[] {
    const clusters = cluster === '*' ? [...this.#clusters.values()] : [this.#clusters.get(cluster) ?? new Map()]
    return [...new Set(clusters.flatMap((providers) => [...providers.values()].flatMap(({ groups }) => groups)))].sort()
  }

  /** A kind whose objects can be listed, also of a type that the provider no longer has. */
  listed(cluster: string, group: string, resource: string): ListedKind | undefined {
    return this.#clusters.get(cluster)?.get(providerOf(group))?.listed.get(`${group}/${resource}`)
  }

  /** The listed kinds of all Providers that have a type. */
  listedOfType(cluster: string, { data, type }: Pick<ListedKind, 'data' | 'type'>): readonly ListedKind[] {
    const text = typeText(data, type)
    return [...(this.#clusters.get(cluster)?.values() ?? [])].flatMap(
      ({ listedByType }) => listedByType.get(text) ?? [],
    )
  }

  /** Sets whether a Provider is being deleted. */
  setDeleting(cluster: string, provider: string, isDeleting: boolean): void {
    const key = `${cluster}/${provider}`
    if (isDeleting) this.#leaving.add(key)
    else this.#leaving.delete(key)
  }

  isDeleting(cluster: string, provider: string): boolean {
    return this.#leaving.has(`${cluster}/${provider}`)
  }

  at(cluster: string, group: string, resource: string): ResourceKind | undefined {
    return this.#clusters.get(cluster)?.get(providerOf(group))?.byResource.get(`${group}/${resource}`)
  }

  find(cluster: string, own: string, { provider, data, type }: WantedKind): ResourceKind | 'ambiguous' | undefined {
    const providers = this.#clusters.get(cluster)
    const text = typeText(data, type)
    if (provider !== undefined) return providers?.get(provider)?.byType.get(text)
    const ownKind = providers?.get(own)?.byType.get(text)
    if (ownKind !== undefined) return ownKind
    const others = [...(providers?.values() ?? [])].flatMap(({ byType }) => byType.get(text) ?? [])
    return others.length > 1 ? 'ambiguous' : others[0]
  }

  #end(cluster: string): void {
    for (const name of [cluster, '*']) {
      this.#ends.get(name)?.abort()
      this.#ends.delete(name)
    }
  }

  /** Every kind of a cluster. */
  *kinds(cluster: string): Generator<ResourceKind> {
    for (const { byType } of this.#clusters.get(cluster)?.values() ?? []) yield* byType.values()
  }
}

class ProviderKinds {
  readonly byResource: ReadonlyMap<string, ResourceKind>
  readonly byType: ReadonlyMap<string, ResourceKind>
  readonly listed: ReadonlyMap<string, ListedKind>
  readonly listedByType: ReadonlyMap<string, ListedKind>
  readonly groups: readonly string[]

  constructor(kinds: readonly ResourceKind[], former: readonly ListedKind[]) {
    this.byResource = byResource(kinds)
    this.byType = byType(kinds)
    const all = [...former, ...kinds]
    this.listed = former.length === 0 ? this.byResource : byResource(all)
    this.listedByType = former.length === 0 ? this.byType : byType(all)
    this.groups = [...new Set(all.map(({ group }) => group))]
  }
}

function byResource<K extends ListedKind>(kinds: readonly K[]): ReadonlyMap<string, K> {
  return new Map(kinds.map((kind) => [`${kind.group}/${kind.resource}`, kind]))
}

function byType<K extends ListedKind>(kinds: readonly K[]): ReadonlyMap<string, K> {
  return new Map(kinds.map((kind) => [typeText(kind.data, kind.type), kind]))
}

// Keeps `schema` a getter, because decoding it is expensive and most kinds are never used.
function withShared(its: ResourceKind, isShared: () => boolean): ResourceKind {
  const { provider, type, data, group, resource, kind, identity } = its
  const facts = { provider, type, data, group, resource, kind, isShared, ...(identity !== undefined && { identity }) }
  return {
    ...facts,
    get schema() {
      return its.schema
    },
  }
}

function isSharedIn(providers: ReadonlyMap<string, ProviderKinds>, { data, type }: ResourceKind): () => boolean {
  const text = typeText(data, type)
  return () => {
    let those = 0
    for (const { byType } of providers.values()) if (byType.has(text)) those++
    return those > 1
  }
}

// `aws.hykube.io` and `data.aws.hykube.io` both belong to the Provider `aws`.
function providerOf(group: string): string {
  return group.replace(/^data\./, '').replace(/\.hykube\.io$/, '')
}

/** A type as addresses name it. */
export function typeText(data: boolean, type: string): string {
  return `${data ? 'data.' : ''}${type}`
}
