/**
 * Remembers closed stream ids to judge late frames. Frames for a stream that this side reset may still be in flight and
 * are not an error. An id that the peer skipped when it opened a higher one was never a stream (RFC 9113, section
 * 5.1.1). Keeps the most recent 1,000 of each.
 */
export class ClosedStreams {
  readonly #resetHere = new Set<number>()
  readonly #gaps: { readonly from: number; readonly to: number }[] = []

  /** Records a stream that this side reset. */
  addReset(id: number): void {
    this.#resetHere.add(id)
    if (this.#resetHere.size <= remembered) return
    for (const oldest of this.#resetHere) {
      this.#resetHere.delete(oldest)
      return
    }
  }

  wasResetHere(id: number): boolean {
    return this.#resetHere.has(id)
  }

  /** Records a range of skipped ids, both ends included. */
  addGap(from: number, to: number): void {
    this.#gaps.push({ from, to })
    if (this.#gaps.length > remembered) this.#gaps.shift()
  }

  wasPassedOver(id: number): boolean {
    return this.#gaps.some(({ from, to }) => from <= id && id <= to)
  }
}

const remembered = 1000
