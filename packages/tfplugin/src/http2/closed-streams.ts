/**
 * What has become of streams that are no longer there, as far as it matters: frames for a stream that we gave up may still
 * be under way and are not the other side's fault, and a number that was passed over was never a stream.
 */
export class ClosedStreams {
  readonly #resetHere = new Set<number>()
  readonly #gaps: { readonly from: number; readonly to: number }[] = []

  /** We gave a stream up. */
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

  /** Numbers that were passed over, both included. */
  addGap(from: number, to: number): void {
    this.#gaps.push({ from, to })
    if (this.#gaps.length > remembered) this.#gaps.shift()
  }

  wasPassedOver(id: number): boolean {
    return this.#gaps.some(({ from, to }) => from <= id && id <= to)
  }
}

const remembered = 1000
