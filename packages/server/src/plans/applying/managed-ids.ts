import type { Estate } from '../../estate/index.ts'
import type { ResourceKind } from '../../model/index.ts'
import { adoptableId } from '../../model/index.ts'

/**
 * The ids of all managed resources, read once per type. Create a new instance for each recovery: a resource that is adopted later can't be
 * the one that a lost call created.
 */
export class ManagedIds {
  readonly #estate: Estate
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>()

  constructor(estate: Estate) {
    this.#estate = estate
  }

  async has(cluster: string, { group, type }: ResourceKind, id: string): Promise<boolean> {
    const key = `${cluster} ${group} ${type}`
    const known = this.#known.get(key) ?? this.#read(cluster, group, type)
    this.#known.set(key, known)
    return (await known).has(id)
  }

  async #read(cluster: string, group: string, type: string): Promise<ReadonlySet<string>> {
    const ids = new Set<string>()
    for await (const { record } of this.#estate.statesOfGroup(group, cluster)) {
      if (record.type !== type) continue
      const attributes = JSON.parse(record.attributes) as Readonly<Record<string, unknown>> | null
      const id = adoptableId(attributes ?? undefined, record.identity?.json)
      if (id !== undefined) ids.add(id)
    }
    return ids
  }
}
