import type { ChangeBatch, Revision } from './contract.ts'
import { SharedBatch } from './shared-batch.ts'

/** The most recent batches without gaps, bounded by bytes. */
export class ChangeRing {
  readonly #maxBytes: number
  #batches: SharedBatch[] = []
  #bytes = 0
  #head: Revision

  constructor(head: Revision, maxBytes: number) {
    this.#head = head
    this.#maxBytes = maxBytes
  }

  /** Revision of the newest batch. */
  get head(): Revision {
    return this.#head
  }

  /** Approximate memory of the batches. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds the batch after the head, and drops the oldest ones above the limit. */
  add(batch: ChangeBatch): SharedBatch {
    const shared = new SharedBatch(this.#head, batch)
    this.#head = batch.revision
    this.#batches.push(shared)
    this.#bytes += shared.bytes
    let gone = 0
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#batches[gone++]!.bytes
    if (gone > 0) this.#batches.splice(0, gone)
    return shared
  }

  /** Moves the head past revisions that are not kept here. */
  skip(head: Revision): void {
    this.#head = head
    this.#batches = []
    this.#bytes = 0
  }

  /** Returns the batch that contains the next changes after a position, or undefined. */
  holding(position: Revision): SharedBatch | undefined {
    let low = 0
    let high = this.#batches.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#batches[middle]!.revision > position) high = middle
      else low = middle + 1
    }
    const batch = this.#batches[low]
    return batch !== undefined && batch.from <= position ? batch : undefined
  }
}
