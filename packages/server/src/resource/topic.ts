import type { Revision } from '../storage/index.ts'
import { ObservedBatch } from './observed-batch.ts'
import type { ObservedChange } from './observed-change.ts'

/** Somebody who waits for a change. */
export interface Waiter {
  wake(): void
}

/** The recent changes of one resource, oldest first, and those who wait for the next. */
export class Topic {
  /** How many reading places there are. Nobody's topic is forgotten. */
  subscribers = 0
  /** Every change of the resource after this revision is in `#changes`. */
  #floor: Revision
  #changes: ObservedChange[] = []
  #bytes = 0
  #waiting: Waiter[] = []
  #lastGiven: { readonly after: Revision; readonly batch: ObservedBatch } | undefined

  constructor(floor: Revision) {
    this.#floor = floor
  }

  /** Whether nothing after a revision has been forgotten. */
  knows(after: Revision): boolean {
    return after >= this.#floor
  }

  hasAfter(revision: Revision): boolean {
    return (this.#changes.at(-1)?.revision ?? 0) > revision
  }

  /**
   * The changes after a revision that this topic knows, or the first of them where they are many bytes; the same batch for
   * all who ask from the same place.
   */
  after(revision: Revision): ObservedBatch {
    if (this.#lastGiven?.after === revision) return this.#lastGiven.batch
    const first = this.#firstAfter(revision)
    const batch = new ObservedBatch(this.#changes.slice(first, this.#endOfBatch(first)))
    this.#lastGiven = { after: revision, batch }
    return batch
  }

  add(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      this.#changes.push(change)
      this.#bytes += change.bytes.length
    }
    this.#lastGiven = undefined
    this.#trim()
    this.wake()
  }

  /** Wakes everybody who waits. */
  wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const waiter of waiting) waiter.wake()
  }

  /** Is woken by the next change, once. */
  enlist(waiter: Waiter): void {
    this.#waiting.push(waiter)
  }

  /** Is not woken after all. */
  strike(waiter: Waiter): void {
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

  // Whoever does not read holds one batch, which should not be large.
  #endOfBatch(first: number): number {
    const changes = this.#changes
    let end = first
    for (let bytes = 0; end < changes.length && bytes < batchBytes; end++) bytes += changes[end]!.bytes.length
    return end
  }

  // Dropped in larger steps, so that the list is not copied for every change.
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
