/** Keeps the entries used last, and each no longer than its own time. */
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
    // A map keeps the order of insertion: the first is the one unused for longest.
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Keeps a value until the time, in milliseconds since 1970, is over. */
  set(key: string, value: V, until: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, until })
    if (this.#entries.size > this.#maximum) this.#entries.delete(this.#entries.keys().next().value!)
  }
}
