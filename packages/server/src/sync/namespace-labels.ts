import type { Labels } from '@hykube/machinery/selector'
import { decodeObject, type ObjectStore } from '../resource/index.ts'

/** The labels of namespaces, kept for the time of one check. */
export class NamespaceLabels {
  readonly #objects: ObjectStore
  readonly #known = new Map<string, Promise<Labels | undefined>>()

  constructor(objects: ObjectStore) {
    this.#objects = objects
  }

  of(cluster: string, namespace: string): Promise<Labels | undefined> {
    const key = `${cluster}/${namespace}`
    const labels = this.#known.get(key) ?? this.#read(cluster, namespace)
    this.#known.set(key, labels)
    return labels
  }

  async #read(cluster: string, name: string): Promise<Labels | undefined> {
    const stored = await this.#objects.get({ group: '', resource: 'namespaces' }, { cluster, namespace: '', name })
    return stored === undefined ? undefined : (decodeObject(stored.bytes).metadata?.labels ?? undefined)
  }
}
