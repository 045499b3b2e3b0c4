import type { Revision } from '../storage/index.ts'
import { ObservedBatch } from './observed-batch.ts'
import type { ObservedChange } from './observed-change.ts'

/** A subscription that waits for the next change. */
export interface Waiter {
  wake(): void
}

/** Recent changes of one resource, oldest first, and the subscriptions that wait for the next one. */
export class Topic {
  /** Number of subscriptions; the hub drops a topic without any. */
  subscribers = 0
  /** Every change of the resource after this revision is in `#changes`. */
  #floor: Revision
  #changes: ObservedChange[] = []
  #bytes = 0
  #waiting: Waiter[] = []
  #lastBatch: { readonly after: Revision; readonly batch: ObservedBatch } | undefined

  constructor(floor: Revision) {
    this.#floor = floor
  }

  /** True when every change after the revision is still in memory. */
  knows(after: Revision): boolean {
    return after >= this.#floor
  }

  hasAfter(revision: Revision): boolean {
    return (this.#changes.at(-1)?.revision ?? 0) > revision
  }

  /**
   * Returns the changes after a revision, cut at 512 KiB. Subscriptions at the same revision share one batch and its
   * encodings.
   */
  after(revision: Revision): ObservedBatch {
    if (this.#lastBatch?.after === revision) return this.#lastBatch.batch
    const first = this.#firstAfter(revision)
    const batch = new ObservedBatch(this.#changes.slice(first, this.#endOfBatch(first)))
    this.#lastBatch = { after: revision, batch }
    return batch
  }

  add(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      this.#changes.push(change)
      this.#bytes += change.bytes.length
    }
    this.#lastBatch = undefined
    this.#trim()
    this.wake()
  }

  /** Wakes all waiting subscriptions. */
  wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const waiter of waiting) waiter.wake()
  }

  /** Wakes the waiter once, on the next change. */
  addWaiter(waiter: Waiter): void {
    this.#waiting.push(waiter)
  }

  /** Removes a waiter. */
  removeWaiter(waiter: Waiter): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiter)
  }

  #firstAfter(revision: Revision): number {
    const changes = this.#changes
    let low = 0
    let high = changes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (changes[middle]!.revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }

  // A slow watcher holds one batch in memory, so batches are bounded.
  #endOfBatch(first: number): number {
    const changes = this.#changes
    let end = first
    for (let bytes = 0; end < changes.length && bytes < batchBytes; end++) bytes += changes[end]!.bytes.length
    return end
  }

  // Trimmed in large steps, so that the array is not copied for every change.
  #trim(): void {
    if (this.#changes.length <= maximumChanges * 1.5 && this.#bytes <= maximumBytes * 1.5) return
    let dropped = 0
    while (this.#changes.length - dropped > maximumChanges || this.#bytes > maximumBytes) {
      this.#bytes -= this.#changes[dropped]!.bytes.length
      dropped++
    }
    this.#floor = this.#changes[dropped - 1]!.revision
    this.#changes = this.#changes.slice(dropped)
  }
}

const batchBytes = 512 * 1024
const maximumChanges = 4096
const maximumBytes = 4 * 1024 * 1024
