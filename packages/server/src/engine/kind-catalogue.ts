import type { KindCatalogue, NodeKind, WantedKind } from '../plan/index.ts'

/** The kinds of the providers that are served, by logical cluster. */
export class ServedKinds implements KindCatalogue {
  readonly #clusters = new Map<string, Map<string, ProviderKinds>>()
  readonly #leaving = new Set<string>()

  /** The kinds of a Provider, in place of those it had. */
  serve(cluster: string, provider: string, kinds: readonly NodeKind[]): void {
    let providers = this.#clusters.get(cluster)
    if (providers === undefined) {
      providers = new Map()
      this.#clusters.set(cluster, providers)
    }
    if (kinds.length === 0) providers.delete(provider)
    else providers.set(provider, new ProviderKinds(kinds.map((kind) => withShared(kind, isSharedIn(providers, kind)))))
  }

  /** Says whether a Provider is being deleted. */
  setLeaving(cluster: string, provider: string, isLeaving: boolean): void {
    const key = `${cluster}/${provider}`
    if (isLeaving) this.#leaving.add(key)
    else this.#leaving.delete(key)
  }

  isLeaving(cluster: string, provider: string): boolean {
    return this.#leaving.has(`${cluster}/${provider}`)
  }

  at(cluster: string, group: string, resource: string): NodeKind | undefined {
    return this.#clusters.get(cluster)?.get(providerOf(group))?.byResource.get(`${group}/${resource}`)
  }

  find(cluster: string, own: string, { provider, data, type }: WantedKind): NodeKind | 'ambiguous' | undefined {
    const providers = this.#clusters.get(cluster)
    const text = typeText(data, type)
    if (provider !== undefined) return providers?.get(provider)?.byType.get(text)
    const ownKind = providers?.get(own)?.byType.get(text)
    if (ownKind !== undefined) return ownKind
    const others = [...(providers?.values() ?? [])].flatMap(({ byType }) => byType.get(text) ?? [])
    return others.length > 1 ? 'ambiguous' : others[0]
  }

  /** Every kind of a cluster. */
  *kinds(cluster: string): Generator<NodeKind> {
    for (const { byType } of this.#clusters.get(cluster)?.values() ?? []) yield* byType.values()
  }
}

class ProviderKinds {
  readonly byResource: ReadonlyMap<string, NodeKind>
  readonly byType: ReadonlyMap<string, NodeKind>

  constructor(kinds: readonly NodeKind[]) {
    this.byResource = new Map(kinds.map((kind) => [`${kind.group}/${kind.resource}`, kind]))
    this.byType = new Map(kinds.map((kind) => [typeText(kind.data, kind.type), kind]))
  }
}

// The schema is read when it is asked for: most kinds are never used.
function withShared(its: NodeKind, isShared: () => boolean): NodeKind {
  const { provider, type, data, group, resource, kind, identity } = its
  const facts = { provider, type, data, group, resource, kind, isShared, ...(identity !== undefined && { identity }) }
  return {
    ...facts,
    get schema() {
      return its.schema
    },
  }
}

function isSharedIn(providers: ReadonlyMap<string, ProviderKinds>, { data, type }: NodeKind): () => boolean {
  const text = typeText(data, type)
  return () => {
    let those = 0
    for (const { byType } of providers.values()) if (byType.has(text)) those++
    return those > 1
  }
}

// `aws.hykube.io` and `data.aws.hykube.io` are both of the Provider `aws`.
function providerOf(group: string): string {
  return group.replace(/^data\./, '').replace(/\.hykube\.io$/, '')
}

function typeText(data: boolean, type: string): string {
  return `${data ? 'data.' : ''}${type}`
}
