import { isAbortError } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { Stored } from '../client/index.ts'
import { Cache, type IndexFunction } from './cache.ts'
import { type Followed, type FollowOptions, follow } from './follow.ts'
import { type ObjectRef, refFromKey, refOf, refToKey } from './object-ref.ts'

/** What an informer follows and how much of it it keeps. */
export interface InformerOptions<V, T extends KubernetesObject = KubernetesObject> extends FollowOptions {
  /**
   * What is remembered of an object; the smaller, the more objects fit. Undefined remembers nothing: handlers still hear
   * of every object, again after each list, and of its deletion only while it is watched. Default: the whole object.
   */
  readonly keep?: (object: Stored<T>) => V | undefined
  /** Indexes by name. Default none. */
  readonly indexes?: Readonly<Record<string, IndexFunction<V>>>
}

/** Something that an informer learned. */
export interface InformerEvent<V, T extends KubernetesObject = KubernetesObject> {
  readonly kind: 'added' | 'updated' | 'deleted'
  readonly ref: ObjectRef
  /** What is remembered now; of a deleted object, undefined. */
  readonly value: V | undefined
  readonly previous: V | undefined
  /** The object as it came; undefined when only a list told that it is gone, or for a handler that came late. */
  readonly object: Stored<T> | undefined
}

/** Hears of each event in turn. It must not wait: what takes time goes into a queue. */
export type InformerHandler<V, T extends KubernetesObject = KubernetesObject> = (event: InformerEvent<V, T>) => void

/** Keeps a picture of a resource current by listing and watching it, and tells handlers what changes. */
export class Informer<V = Stored, T extends KubernetesObject = KubernetesObject> {
  /** Resolves when the first list is complete and handlers have heard of it. */
  readonly synced: Promise<void>
  readonly #options: InformerOptions<V, T>
  readonly #cache: Cache<V>
  readonly #handlers = new Set<InformerHandler<V, T>>()
  #resolveSynced: () => void = () => {}
  /** The places that a list under way has not shown yet. */
  #unseen: Set<string> | undefined

  constructor(options: InformerOptions<V, T>) {
    this.#options = options
    this.#cache = new Cache(options.indexes)
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve
    })
  }

  get size(): number {
    return this.#cache.size
  }

  get(ref: ObjectRef): V | undefined {
    return this.#cache.get(refToKey(ref))
  }

  /** Everything remembered, in no order. */
  *entries(): Generator<{ readonly ref: ObjectRef; readonly value: V }> {
    for (const [key, value] of this.#cache.entries()) yield { ref: refFromKey(key), value }
  }

  /** What an index has under a value. */
  find(index: string, value: string): { readonly ref: ObjectRef; readonly value: V }[] {
    return this.#cache.find(index, value).map((key) => ({ ref: refFromKey(key), value: this.#cache.get(key)! }))
  }

  /** Calls back with each event, beginning with all that is remembered; the function returned ends it. */
  on(handler: InformerHandler<V, T>): () => void {
    this.#handlers.add(handler)
    for (const { ref, value } of this.entries())
      handler({ kind: 'added', ref, value, previous: undefined, object: undefined })
    return () => this.#handlers.delete(handler)
  }

  /** Follows the resource until the signal aborts. Called once. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for await (const step of follow<T>(this.#options, signal)) this.#take(step)
    } catch (error) {
      if (!signal.aborted && !isAbortError(error)) throw error
    }
  }

  #take(step: Followed<T>): void {
    switch (step.kind) {
      case 'listing':
        this.#unseen = new Set(this.#cache.keys())
        return
      case 'object':
        this.#unseen?.delete(refToKey(this.#refOf(step.object)))
        this.#put(step.object)
        return
      case 'listed':
        for (const key of this.#unseen ?? []) this.#remove(refFromKey(key), undefined)
        this.#unseen = undefined
        this.#resolveSynced()
        return
      case 'changed':
        if (step.type === 'DELETED') this.#remove(this.#refOf(step.object), step.object)
        else this.#put(step.object)
        return
      default:
        step satisfies never
    }
  }

  #put(object: Stored<T>): void {
    const ref = this.#refOf(object)
    const { keep } = this.#options
    const value = keep === undefined ? (object as unknown as V) : keep(object)
    const previous = this.#cache.set(ref, value)
    this.#tell({ kind: previous === undefined ? 'added' : 'updated', ref, value, previous, object })
  }

  #remove(ref: ObjectRef, object: Stored<T> | undefined): void {
    const previous = this.#cache.set(ref, undefined)
    this.#tell({ kind: 'deleted', ref, value: undefined, previous, object })
  }

  #tell(event: InformerEvent<V, T>): void {
    for (const handler of this.#handlers) handler(event)
  }

  #refOf(object: KubernetesObject): ObjectRef {
    return refOf(object, this.#options.at.cluster)
  }
}
