/** A map whose values are made when they are first asked for, and kept from then on. */
export class LazyMap<S, V> implements ReadonlyMap<string, V> {
  readonly #sources: ReadonlyMap<string, S>
  readonly #make: (source: S) => V
  readonly #made = new Map<string, V>()

  constructor(sources: ReadonlyMap<string, S>, make: (source: S) => V) {
    this.#sources = sources
    this.#make = make
  }

  get size(): number {
    return this.#sources.size
  }

  get(key: string): V | undefined {
    const made = this.#made.get(key)
    if (made !== undefined) return made
    const source = this.#sources.get(key)
    if (source === undefined) return undefined
    const value = this.#make(source)
    this.#made.set(key, value)
    return value
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
