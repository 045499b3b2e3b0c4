import type { ChangeBatch, Revision } from './contract.ts'
import { SharedBatch } from './shared-batch.ts'

/** The most recent batches, without a hole between them, up to a number of bytes. */
export class ChangeRing {
  readonly #mostBytes: number
  #batches: SharedBatch[] = []
  #bytes = 0
  #head: Revision

  constructor(head: Revision, mostBytes: number) {
    this.#head = head
    this.#mostBytes = mostBytes
  }

  /** The revision of the newest batch. */
  get head(): Revision {
    return this.#head
  }

  /** About how much memory the batches hold. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds what follows on the head, and lets go of the oldest when there is too much. */
  add(batch: ChangeBatch): SharedBatch {
    const shared = new SharedBatch(this.#head, batch)
    this.#head = batch.revision
    this.#batches.push(shared)
    this.#bytes += shared.bytes
    let gone = 0
    while (this.#bytes > this.#mostBytes) this.#bytes -= this.#batches[gone++]!.bytes
    if (gone > 0) this.#batches.splice(0, gone)
    return shared
  }

  /** Moves the head over what is not kept here. */
  skip(head: Revision): void {
    this.#head = head
    this.#batches = []
    this.#bytes = 0
  }

  /** The batch with what comes next after a position, undefined when it is not here. */
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
