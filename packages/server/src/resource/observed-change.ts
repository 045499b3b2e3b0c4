import type { KubernetesObject } from '@hykube/machinery/object'
import type { Change, Key, Revision, Store } from '../storage/index.ts'
import { decodeObject } from './object-codec.ts'
import { type ObjectLocation, objectFromKey, type ResourceLocation } from './object-key.ts'

/** A change of an object whose decoded and encoded forms are computed once for all watchers. */
export class ObservedChange {
  readonly kind: 'put' | 'delete'
  readonly revision: Revision
  readonly key: Key
  readonly bytes: Uint8Array
  readonly tag: number
  readonly previous: Revision | undefined
  readonly #store: Store
  #place: (ResourceLocation & ObjectLocation) | undefined
  #object: KubernetesObject | undefined
  #previousObject: Promise<KubernetesObject | undefined> | undefined
  readonly #encodings = new Map<string, Uint8Array>()

  constructor(change: Change, store: Store) {
    this.kind = change.kind
    this.revision = change.revision
    this.key = change.key
    this.bytes = change.value
    this.tag = change.tag
    this.previous = change.previous
    this.#store = store
  }

  get place(): ResourceLocation & ObjectLocation {
    this.#place ??= objectFromKey(this.key)
    return this.#place
  }

  /** The object after the change; its last state for a delete. */
  get object(): KubernetesObject {
    this.#object ??= decodeObject(this.bytes)
    return this.#object
  }

  /** Reads the object before the change from history; undefined for a create. */
  previousObject(): Promise<KubernetesObject | undefined> {
    this.#previousObject ??= this.#readPrevious()
    return this.#previousObject
  }

  /** Returns the change in an encoding, computed on first use. */
  encoded(form: string, encode: (change: ObservedChange) => Uint8Array): Uint8Array {
    let bytes = this.#encodings.get(form)
    if (bytes === undefined) {
      bytes = encode(this)
      this.#encodings.set(form, bytes)
    }
    return bytes
  }

  async #readPrevious(): Promise<KubernetesObject | undefined> {
    if (this.previous === undefined) return undefined
    const entry = await this.#store.get(this.key, { revision: this.previous })
    return entry === undefined ? undefined : decodeObject(entry.value)
  }
}
