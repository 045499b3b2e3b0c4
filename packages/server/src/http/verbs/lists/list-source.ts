import type { KubernetesObject } from '@hykube/machinery/object'
import {
  type ObjectLocation,
  type ObjectStore,
  objectFromKey,
  objectKey,
  objectRange,
  type StoredObject,
} from '../../../resource/index.ts'
import type { Turns } from '../../flow-control/fair-seats.ts'
import { withCluster } from '../../presentation/cluster-annotation.ts'
import { isStoredVersion, objectFromStored } from '../../presentation/stored-form.ts'
import type { Target } from '../../target.ts'
import type { Selection } from './selection.ts'

/** Some items of a list, either as joined stored bytes or as objects. */
export interface ListPiece {
  readonly joined?: Uint8Array
  readonly objects?: readonly KubernetesObject[]
  readonly count: number
  readonly revision: number
  /** Last object read, when there are more. */
  readonly last?: ListPlace
}

/** An object of a list. Lists over several resources also need its resource. */
export interface ListPlace extends ObjectLocation {
  readonly source?: { readonly group: string; readonly resource: string }
}

/** Start of a read. */
export interface ListPosition {
  /** Undefined means the newest. */
  readonly revision: number | undefined
  /** Objects after this one. The cluster is used only across all clusters. */
  readonly after: ListPlace | undefined
}

/** Reads a list in pieces, each in one short read. */
export interface ListReader {
  /** Reads the next items, at most `limit`. */
  read(position: ListPosition, limit: number): Promise<ListPiece>
  /** Counts the objects of the whole list, without selectors. */
  total(): Promise<number>
}

/** Objects per piece. Other requests wait while a piece is read, so pieces are smaller under contention. */
export function pieceSize({ isContended }: Turns): number {
  return isContended ? 30 : 100
}

/** Reads the lists of stored objects of a target. */
export class ListSource implements ListReader {
  readonly #objects: ObjectStore
  readonly #target: Target
  readonly #selection: Selection
  readonly #turns: Turns
  readonly #joinable: boolean

  constructor(objects: ObjectStore, target: Target, selection: Selection, turns: Turns, plain: boolean) {
    this.#objects = objects
    this.#target = target
    this.#selection = selection
    this.#turns = turns
    this.#joinable = plain && selection.all && !target.allClusters && isStoredVersion(target.type)
  }

  /** Reads the next items, at most `limit`. */
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

  /** Number of objects in the whole list, without selectors. */
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

  // Across clusters each object is decoded by its own cluster's type, and left out where the type is not served.
  #present(stored: StoredObject): KubernetesObject[] {
    const { type, allClusters, typeIn, place } = this.#target
    if (!allClusters) return [objectFromStored(type, stored)]
    const { cluster, namespace } = objectFromKey(stored.key)
    const own = typeIn(cluster)
    if (own === undefined || (place.namespace !== '' && place.namespace !== namespace)) return []
    return [withCluster(objectFromStored(own, stored), cluster)]
  }

  // A name addresses one object unless the request is across namespaces or clusters.
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
      limit: Math.min(limit, pieceSize(this.#turns)),
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
