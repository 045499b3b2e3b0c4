import type { KubernetesObject } from '@hykube/machinery/object'
import { areTurnsShared } from '@hykube/tfplugin/http2'
import {
  type ObjectPlace,
  type ObjectStore,
  objectFromKey,
  objectKey,
  objectRange,
  type StoredObject,
} from '../../resource/index.ts'
import { withCluster } from '../presentation/cluster-annotation.ts'
import { isStoredVersion, objectFromStored } from '../presentation/stored-form.ts'
import type { Target } from '../target.ts'
import type { Selection } from './selection.ts'

/** Some items of a list: as joined bytes that can go out as they are, or as objects. */
export interface ListPiece {
  readonly joined?: Uint8Array
  readonly objects?: readonly KubernetesObject[]
  readonly count: number
  readonly revision: number
  /** The last object looked at, when there is more behind it. */
  readonly last?: ObjectPlace
}

/** Where to read on. */
export interface ListPosition {
  /** Undefined: now. */
  readonly revision: number | undefined
  /** Its cluster counts across all clusters alone; otherwise it is the list's own. */
  readonly after: ObjectPlace | undefined
}

// Somebody else may wait for as long as a piece takes to be read.
const pieceInCompany = 30
const pieceAlone = 100

/** Reads lists of a target piece by piece, each in one short read. */
export class ListSource {
  readonly #objects: ObjectStore
  readonly #target: Target
  readonly #selection: Selection
  readonly #joinable: boolean

  constructor(objects: ObjectStore, target: Target, selection: Selection, plain: boolean) {
    this.#objects = objects
    this.#target = target
    this.#selection = selection
    this.#joinable = plain && selection.all && !target.allClusters && isStoredVersion(target.type)
  }

  /** The next items, at most so many. */
  async read(position: ListPosition, limit: number): Promise<ListPiece> {
    const { name } = this.#selection
    if (name !== undefined && this.#isOnePlace()) return this.#readNamed(name, position)
    const options = this.#scanOptions(position, limit)
    if (this.#joinable) {
      const { tag: joinTag } = this.#target.type.storage
      const page = await this.#objects.scanJoined(this.#range(), { ...options, joinTag })
      if (page !== undefined)
        return { joined: page.bytes, count: page.count, revision: page.revision, ...lastOf(page.last) }
    }
    const page = await this.#objects.scan(this.#range(), options)
    const objects = page.entries
      .flatMap((entry) =>
        this.#present({ key: entry.key, bytes: entry.value, tag: entry.tag, revision: entry.revision }),
      )
      .filter((object) => this.#selection.matches(object))
    return { objects, count: objects.length, revision: page.revision, ...lastOf(page.last) }
  }

  /** How many objects the whole list has, where nothing is selected. */
  total(): Promise<number> {
    return this.#objects.count(this.#range())
  }

  async #readNamed(name: string, { revision }: ListPosition): Promise<ListPiece> {
    const { resource, place } = this.#target
    const current = revision ?? (await this.#objects.now())
    const stored = await this.#objects.get(resource, { ...place, name }, revision)
    const objects = stored === undefined ? [] : this.#present(stored).filter((each) => this.#selection.matches(each))
    return { objects, count: objects.length, revision: Math.max(current, stored?.revision ?? 0) }
  }

  // Across clusters each object is shown by its own cluster's type, and not at all where that is not served.
  #present(stored: StoredObject): KubernetesObject[] {
    const { type, allClusters, typeIn, place } = this.#target
    if (!allClusters) return [objectFromStored(type, stored)]
    const { cluster, namespace } = objectFromKey(stored.key)
    const own = typeIn(cluster)
    if (own === undefined || (place.namespace !== '' && place.namespace !== namespace)) return []
    return [withCluster(objectFromStored(own, stored), cluster)]
  }

  // A name is a place of its own unless it is asked for in all namespaces or clusters.
  #isOnePlace(): boolean {
    const { type, place, allClusters } = this.#target
    return !allClusters && (!type.namespaced || place.namespace !== '')
  }

  #range() {
    const { resource, place, allClusters } = this.#target
    if (allClusters) return objectRange(resource)
    const namespace = place.namespace === '' ? this.#selection.namespace : place.namespace
    return objectRange(resource, place.cluster, namespace || undefined)
  }

  #scanOptions({ revision, after }: ListPosition, limit: number) {
    const { resource, place, allClusters } = this.#target
    return {
      limit: Math.min(limit, areTurnsShared() ? pieceInCompany : pieceAlone),
      ...(revision === undefined ? {} : { revision }),
      ...(after === undefined
        ? {}
        : { after: objectKey(resource, allClusters ? after : { ...after, cluster: place.cluster }) }),
    }
  }
}

function lastOf(key: Parameters<typeof objectFromKey>[0] | undefined) {
  if (key === undefined) return {}
  const { cluster, namespace, name } = objectFromKey(key)
  return { last: { cluster, namespace, name } }
}
