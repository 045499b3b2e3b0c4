/** LRU cache of encoded documents, bounded by bytes. A key identifies the content. */
export class DocumentCache {
  readonly #limit: number
  readonly #documents = new Map<string, Promise<Uint8Array>>()
  readonly #sizes = new Map<string, number>()
  #total = 0

  /** Keeps at most `limit` bytes. A larger document is built for each request. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns the document of a key. Concurrent requests share one build; a failed build is not cached. */
  get(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#documents.get(key)
    if (known !== undefined) {
      this.#documents.delete(key)
      this.#documents.set(key, known)
      return known
    }
    const made = make()
    this.#documents.set(key, made)
    made.then(
      ({ length }) => this.#keep(key, length),
      () => this.#documents.delete(key),
    )
    return made
  }

  #keep(key: string, size: number): void {
    this.#sizes.set(key, size)
    this.#total += size
    for (const oldest of this.#documents.keys()) {
      if (this.#total <= this.#limit) return
      this.#drop(oldest)
    }
  }

  // A document still being built has no size yet, and stays.
  #drop(key: string): void {
    const size = this.#sizes.get(key)
    if (size === undefined) return
    this.#documents.delete(key)
    this.#sizes.delete(key)
    this.#total -= size
  }
}
