import { adoptableId } from '../apply/index.ts'
import type { Estate } from '../estate/index.ts'
import type { NodeKind } from '../plan/index.ts'

/**
 * The ids of everything outside that belongs to something here. They are read when somebody first asks for a type, so one of these is
 * made for each time that calls are recovered: what is made after that can't be what a lost call made.
 */
export class ManagedIds {
  readonly #estate: Estate
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>()

  constructor(estate: Estate) {
    this.#estate = estate
  }

  async has(cluster: string, { group, type }: NodeKind, id: string): Promise<boolean> {
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
