import { isAbortError } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { Stored } from '../client/index.ts'
import { Cache, type IndexFunction } from './cache.ts'
import { type Followed, type FollowOptions, follow } from './follow.ts'
import { type ObjectRef, refFromKey, refOf, refToKey } from './object-ref.ts'

/** The resource of an informer, and the part of its objects that is cached. */
export interface InformerOptions<V, T extends KubernetesObject = KubernetesObject> extends FollowOptions {
  /**
   * Returns the value to cache for an object, to save memory. Undefined caches nothing: handlers still receive every object,
   * again as `added` after each list, and its deletion only if the watch reports it. Default: the whole object.
   */
  readonly keep?: (object: Stored<T>) => V | undefined
  /** Indexes by name. Default none. */
  readonly indexes?: Readonly<Record<string, IndexFunction<V>>>
}

/** A change in the cache of an informer. */
export interface InformerEvent<V, T extends KubernetesObject = KubernetesObject> {
  readonly kind: 'added' | 'updated' | 'deleted'
  readonly ref: ObjectRef
  /** The cached value; undefined for a deleted object. */
  readonly value: V | undefined
  readonly previous: V | undefined
  /** The object from the server; undefined for a deletion found by a list, and for a handler that was added later. */
  readonly object: Stored<T> | undefined
}

/** Receives events in order. It is called synchronously: put slow work into a queue. */
export type InformerHandler<V, T extends KubernetesObject = KubernetesObject> = (event: InformerEvent<V, T>) => void

/** Caches a resource by list and watch, and notifies handlers of changes. */
export class Informer<V = Stored, T extends KubernetesObject = KubernetesObject> {
  /** Resolves when the first list is complete and all handlers were called. */
  readonly synced: Promise<void>
  readonly #options: InformerOptions<V, T>
  readonly #cache: Cache<V>
  readonly #handlers = new Set<InformerHandler<V, T>>()
  #resolveSynced: () => void = () => {}
  /** The cached keys that the current list has not contained so far; those left at its end were deleted. */
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

  /** Yields all cached values, in no particular order. */
  *entries(): Generator<{ readonly ref: ObjectRef; readonly value: V }> {
    for (const [key, value] of this.#cache.entries()) yield { ref: refFromKey(key), value }
  }

  /** Returns the entries with a value in an index. */
  find(index: string, value: string): { readonly ref: ObjectRef; readonly value: V }[] {
    return this.#cache.find(index, value).map((key) => ({ ref: refFromKey(key), value: this.#cache.get(key)! }))
  }

  /** Adds a handler, which first receives `added` for all cached values. The returned function removes it. */
  on(handler: InformerHandler<V, T>): () => void {
    this.#handlers.add(handler)
    for (const { ref, value } of this.entries())
      handler({ kind: 'added', ref, value, previous: undefined, object: undefined })
    return () => this.#handlers.delete(handler)
  }

  /** Follows the resource until the signal aborts. Call it once. */
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
    this.#notify({ kind: previous === undefined ? 'added' : 'updated', ref, value, previous, object })
  }

  #remove(ref: ObjectRef, object: Stored<T> | undefined): void {
    const previous = this.#cache.set(ref, undefined)
    this.#notify({ kind: 'deleted', ref, value: undefined, previous, object })
  }

  #notify(event: InformerEvent<V, T>): void {
    for (const handler of this.#handlers) handler(event)
  }

  #refOf(object: KubernetesObject): ObjectRef {
    return refOf(object, this.#options.at.cluster)
  }
}
