/** Keeps the end of a process's output, with at most about twice the limit in memory. */
export class KeptText {
  readonly #most: number
  #chunks: Buffer[] = []
  #held = 0
  /** Total number of bytes written. */
  size = 0

  constructor(most: number) {
    this.#most = most
  }

  add(chunk: Buffer): void {
    this.size += chunk.length
    this.#held += chunk.length
    this.#chunks.push(chunk)
    if (this.#held > 2 * this.#most) this.#cut()
  }

  text(): string {
    this.#cut()
    return Buffer.concat(this.#chunks).toString('utf8')
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all.subarray(Math.max(0, all.length - this.#most))]
    this.#held = this.#chunks[0]!.length
  }
}
