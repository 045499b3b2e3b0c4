import type { ResourceType } from '@hykube/machinery/resource-type'

/** Resource types that logical clusters serve: in every cluster, or in one only. */
export class TypeRegistry {
  readonly #everywhere = new TypeTable()
  readonly #clusters = new Map<string, TypeTable>()
  readonly #ends = new WeakMap<ResourceType, AbortController>()
  #version = 0

  /** Incremented when any served type changes; used as a cache key. */
  get version(): number {
    return this.#version
  }

  /**
   * Returns a signal that aborts when the type is no longer served or was replaced, so that watches on it end.
   * Undefined for types served everywhere, which never change.
   */
  endOf(type: ResourceType): AbortSignal | undefined {
    if (this.#everywhere.types.get(keyOf(type)) === type) return undefined
    let end = this.#ends.get(type)
    if (end === undefined) {
      end = new AbortController()
      this.#ends.set(type, end)
    }
    return end.signal
  }

  /** Serves types in every cluster. */
  serveEverywhere(types: readonly ResourceType[]): void {
    for (const type of types) this.#everywhere.put(type)
    this.#version++
  }

  /** Serves types in one cluster, replacing all types that the same owner registered before. */
  serve(cluster: string, owner: string, types: readonly ResourceType[]): void {
    let table = this.#clusters.get(cluster)
    if (table === undefined) {
      table = new TypeTable()
      this.#clusters.set(cluster, table)
    }
    const replaced = table.replaceOwned(owner, types)
    this.#version++
    for (const type of replaced) this.#ends.get(type)?.abort()
  }

  find(cluster: string, group: string, version: string, plural: string): ResourceType | undefined {
    const key = typeKey(group, version, plural)
    return this.#clusters.get(cluster)?.types.get(key) ?? this.#everywhere.types.get(key)
  }

  /** Returns the type from any cluster that serves it, for requests over all clusters. */
  findAnywhere(group: string, version: string, plural: string): ResourceType | undefined {
    const key = typeKey(group, version, plural)
    const everywhere = this.#everywhere.types.get(key)
    if (everywhere !== undefined) return everywhere
    for (const { types } of this.#clusters.values()) {
      const type = types.get(key)
      if (type !== undefined) return type
    }
    return undefined
  }

  /** All types of a cluster in registration order, built-in types first. */
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
    const key = keyOf(type)
    this.types.set(key, type)
    return key
  }

  /** Returns the types that are no longer served. */
  replaceOwned(owner: string, types: readonly ResourceType[]): ResourceType[] {
    const replaced: ResourceType[] = []
    for (const key of this.#owned.get(owner) ?? []) {
      replaced.push(this.types.get(key)!)
      this.types.delete(key)
    }
    if (types.length === 0) this.#owned.delete(owner)
    else
      this.#owned.set(
        owner,
        types.map((type) => this.put(type)),
      )
    return replaced.filter((type) => !types.includes(type))
  }
}

function keyOf({ group, version, names }: ResourceType): string {
  return typeKey(group, version, names.plural)
}

function typeKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`
}
