/** How many go in one call at the most. */
export const mostInBatch = 200

// For a few, single calls are as quick, and one slow answer holds up no other.
const fewestInBatch = 4
// Whoever went together is answered together: nobody should wait longer than this for the others, in milliseconds.
const longest = 1000
// After so many that went by themselves, it is tried again whether they are quick together.
const alone = 500

/**
 * How many calls of one sort go together, by how long they took: as many as are answered within a second. Where not even a few
 * are, each goes by itself, so that whatever waits for one of them waits for no other.
 */
export class BatchSize {
  #most = mostInBatch
  #alone = 0

  /** The most that may go in the next call. */
  get most(): number {
    return this.#most
  }

  /** Whether so many, which came together, are asked for in one call; otherwise each by itself. */
  goTogether(count: number): boolean {
    if (this.#alone === 0) return count >= fewestInBatch
    this.#alone = Math.max(0, this.#alone - count)
    return false
  }

  /** So many were answered together after so many milliseconds. */
  took(count: number, milliseconds: number): void {
    if (milliseconds > longest) this.#shrink(Math.floor((count * longest) / milliseconds))
    else if (count === this.#most && milliseconds < longest / 2) this.#most = Math.min(mostInBatch, 2 * this.#most)
  }

  #shrink(most: number): void {
    this.#most = Math.max(fewestInBatch, most)
    if (most < fewestInBatch) this.#alone = alone
  }
}
