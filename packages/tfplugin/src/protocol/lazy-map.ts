/** A map whose values are decoded on access and cached weakly: the garbage collector frees those no longer in use. */
export class LazyMap<S, V extends object> implements ReadonlyMap<string, V> {
  readonly #sources: ReadonlyMap<string, S>
  readonly #make: (source: S) => V
  readonly #made = new Map<string, WeakRef<V>>()

  constructor(sources: ReadonlyMap<string, S>, make: (source: S) => V) {
    this.#sources = sources
    this.#make = make
  }

  get size(): number {
    return this.#sources.size
  }

  get(key: string): V | undefined {
    const known = this.#made.get(key)?.deref()
    if (known !== undefined) return known
    const value = this.make(key)
    if (value !== undefined) this.#made.set(key, new WeakRef(value))
    return value
  }

  /** Decodes a value without caching it. */
  make(key: string): V | undefined {
    const source = this.#sources.get(key)
    return source === undefined ? undefined : this.#make(source)
  }

  has(key: string): boolean {
    return this.#sources.has(key)
  }

  keys(): MapIterator<string> {
    return this.#sources.keys()
  }

  *values(): MapIterator<V> {
    for (const key of this.#sources.keys()) yield this.get(key)!
  }

  *entries(): MapIterator<[string, V]> {
    for (const key of this.#sources.keys()) yield [key, this.get(key)!]
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }

  forEach(callback: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) callback(value, key, this)
  }
}
