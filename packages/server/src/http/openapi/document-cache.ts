/** Documents as bytes by a key that says all about their content, the longest unused ones dropped first. */
export class DocumentCache {
  readonly #limit: number
  readonly #documents = new Map<string, Promise<Uint8Array>>()
  readonly #sizes = new Map<string, number>()
  #total = 0

  /** `limit` is how many bytes are kept; a larger document than that is made each time. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The document of a key; made once, also when several ask while it is being made. A failure is not kept. */
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

  // What is still being made has no size yet, and stays.
  #drop(key: string): void {
    const size = this.#sizes.get(key)
    if (size === undefined) return
    this.#documents.delete(key)
    this.#sizes.delete(key)
    this.#total -= size
  }
}
