import type { ResourceType } from '@hykube/machinery/resource-type'

/** The types that logical clusters serve: some are served everywhere, others in one cluster alone. */
export class TypeRegistry {
  readonly #everywhere = new TypeTable()
  readonly #clusters = new Map<string, TypeTable>()
  #version = 0

  /** Changes with every change of what is served, for those who keep what they made of it. */
  get version(): number {
    return this.#version
  }

  /** Serves types in every cluster. */
  serveEverywhere(types: readonly ResourceType[]): void {
    for (const type of types) this.#everywhere.put(type)
    this.#version++
  }

  /** Serves types in one cluster, in place of those that a same owner put there before. */
  serve(cluster: string, owner: string, types: readonly ResourceType[]): void {
    let table = this.#clusters.get(cluster)
    if (table === undefined) {
      table = new TypeTable()
      this.#clusters.set(cluster, table)
    }
    table.replaceOwned(owner, types)
    this.#version++
  }

  find(cluster: string, group: string, version: string, plural: string): ResourceType | undefined {
    const key = typeKey(group, version, plural)
    return this.#clusters.get(cluster)?.types.get(key) ?? this.#everywhere.types.get(key)
  }

  /** Every type of a cluster, in the order they were first served: built-in ones first. */
  *types(cluster: string): Generator<ResourceType> {
    yield* this.#everywhere.types.values()
    const own = this.#clusters.get(cluster)
    if (own !== undefined) yield* own.types.values()
  }
}

class TypeTable {
  readonly types = new Map<string, ResourceType>()
  readonly #owned = new Map<string, readonly string[]>()

  put(type: ResourceType): string {
    const key = typeKey(type.group, type.version, type.names.plural)
    this.types.set(key, type)
    return key
  }

  replaceOwned(owner: string, types: readonly ResourceType[]): void {
    for (const key of this.#owned.get(owner) ?? []) this.types.delete(key)
    if (types.length === 0) this.#owned.delete(owner)
    else
      this.#owned.set(
        owner,
        types.map((type) => this.put(type)),
      )
  }
}

function typeKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`
}
