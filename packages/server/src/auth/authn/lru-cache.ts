/** Cache that evicts the least recently used entry; each entry also has an expiry time. */
export class LruCache<V> {
  readonly #maximum: number
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>()

  constructor(maximum: number) {
    this.#maximum = maximum
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string, now: number): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    if (now >= entry.until) return undefined
    // A Map iterates in insertion order, so the first entry is the least recently used.
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Stores a value until a time in milliseconds since 1970. */
  set(key: string, value: V, until: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, until })
    if (this.#entries.size > this.#maximum) this.#entries.delete(this.#entries.keys().next().value!)
  }
}
