import { objectFromKey, objectRange, type ResourceLocation } from './object-key.ts'
import type { ObjectStore } from './object-store.ts'
import type { WatchHub } from './watch-hub.ts'

/**
 * In-memory index of the namespaces that contain objects of a resource, with the objects' names. For resources that few
 * namespaces have but every write must check, such as quotas. It lags slightly behind the store.
 */
export class NamespaceIndex {
  readonly #names = new Map<string, Set<string>>()

  private constructor() {}

  static async open(objects: ObjectStore, hub: WatchHub, resource: ResourceLocation): Promise<NamespaceIndex> {
    const index = new NamespaceIndex()
    const gone = new Set<string>()
    // The initial scan may return objects that were deleted meanwhile: they must not be added.
    let filling = true
    hub.listen((changes) => {
      for (const { place, kind } of changes) {
        if (place.group !== resource.group || place.resource !== resource.resource) continue
        if (kind === 'put') index.#add(place.cluster, place.namespace, place.name)
        else index.#remove(place.cluster, place.namespace, place.name)
        if (!filling) continue
        const name = [place.cluster, place.namespace, place.name].join('/')
        if (kind === 'put') gone.delete(name)
        else gone.add(name)
      }
    })
    const range = objectRange(resource)
    for await (const entries of objects.pages(range)) {
      for (const { key } of entries) {
        const { cluster, namespace, name } = objectFromKey(key)
        if (!gone.has([cluster, namespace, name].join('/'))) index.#add(cluster, namespace, name)
      }
    }
    filling = false
    return index
  }

  has(cluster: string, namespace: string): boolean {
    return this.#names.has(`${cluster}/${namespace}`)
  }

  /** Names in a namespace, sorted. */
  names(cluster: string, namespace: string): readonly string[] {
    return [...(this.#names.get(`${cluster}/${namespace}`) ?? [])].sort()
  }

  #add(cluster: string, namespace: string, name: string): void {
    const key = `${cluster}/${namespace}`
    const names = this.#names.get(key)
    if (names === undefined) this.#names.set(key, new Set([name]))
    else names.add(name)
  }

  #remove(cluster: string, namespace: string, name: string): void {
    const key = `${cluster}/${namespace}`
    const names = this.#names.get(key)
    names?.delete(name)
    if (names?.size === 0) this.#names.delete(key)
  }
}
