import type { ResourceType } from '@hykube/machinery/resource-type'

/** The types that logical clusters serve: some are served everywhere, others in one cluster alone. */
export class TypeRegistry {
  readonly #everywhere = new TypeTable()
  readonly #clusters = new Map<string, TypeTable>()
  readonly #ends = new WeakMap<ResourceType, AbortController>()
  #version = 0

  /** Changes with every change of what is served, for those who keep what they made of it. */
  get version(): number {
    return this.#version
  }

  /**
   * Ends when a type is served no longer, or another one in its place: whoever watches by it must look again. Undefined
   * for types that are served everywhere, which never end.
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

  /** Serves types in one cluster, in place of those that a same owner put there before. */
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

  /** A type of this name that some cluster serves, for what is asked of all of them; undefined when none does. */
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
    const key = keyOf(type)
    this.types.set(key, type)
    return key
  }

  /** Gives the types that are there no longer. */
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
