/** The upper limit of requests in one batch. */
export const maxBatchSize = 200

// Below this size, single calls are as fast, and a slow response delays only its own caller.
const minBatchSize = 4
// In milliseconds. All requests of a batch get their responses together, so the slowest one delays the others.
const targetLatency = 1000
// After this many unbatched calls, batching is tried again, because the provider may have become faster.
const unbatchedCalls = 500

/**
 * Adapts the batch size of one RPC and type to the provider's latency: the largest size that is answered within a second.
 * If even the smallest batch takes longer, requests are sent one by one for a while.
 */
export class BatchSize {
  #max = maxBatchSize
  #unbatched = 0

  /** The maximum size of the next batch. */
  get max(): number {
    return this.#max
  }

  /** Returns whether this many waiting requests are sent as one batch; otherwise each is sent as a single call. */
  shouldBatch(count: number): boolean {
    if (this.#unbatched === 0) return count >= minBatchSize
    this.#unbatched = Math.max(0, this.#unbatched - count)
    return false
  }

  /** Records the latency of a batch, and shrinks or doubles the next one. */
  record(count: number, milliseconds: number): void {
    if (milliseconds > targetLatency) this.#shrink(Math.floor((count * targetLatency) / milliseconds))
    else if (count === this.#max && milliseconds < targetLatency / 2) this.#max = Math.min(maxBatchSize, 2 * this.#max)
  }

  #shrink(max: number): void {
    this.#max = Math.max(minBatchSize, max)
    if (max < minBatchSize) this.#unbatched = unbatchedCalls
  }
}
