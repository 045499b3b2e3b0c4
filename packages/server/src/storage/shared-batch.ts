import type { Change, ChangeBatch, Revision } from './contract.ts'
import { encodeKey } from './key.ts'

/** A batch shared by many followers; its selection for a space is computed once. */
export class SharedBatch {
  /** Revision before the batch. */
  readonly from: Revision
  readonly revision: Revision
  /** Approximate memory. */
  readonly bytes: number
  readonly #batch: ChangeBatch
  readonly #bySpace = new Map<string, ChangeBatch>()

  constructor(from: Revision, batch: ChangeBatch) {
    this.from = from
    this.revision = batch.revision
    this.bytes = batch.changes.reduce(
      (sum, change) => sum + change.value.length + change.key.length + objectBytes,
      objectBytes,
    )
    this.#batch = batch
  }

  /** True when the batch has changes in the space, or any changes when it is undefined. */
  concerns(space: string | undefined): boolean {
    return this.#of(space).changes.length > 0
  }

  /** Returns the changes for a follower at a position. */
  after(position: Revision, space: string | undefined): ChangeBatch {
    const batch = this.#of(space)
    if (position <= this.from) return batch
    return { changes: batch.changes.filter((change) => change.revision > position), revision: batch.revision }
  }

  #of(space: string | undefined): ChangeBatch {
    if (space === undefined) return this.#batch
    const known = this.#bySpace.get(space)
    if (known !== undefined) return known
    const selected = { changes: this.#batch.changes.filter(inSpace(space)), revision: this.revision }
    this.#bySpace.set(space, selected)
    return selected
  }
}

// Memory of a change beside its bytes.
const objectBytes = 200

function inSpace(space: string): (change: Change) => boolean {
  const prefix = encodeKey(space, [])
  return ({ key }) => prefix.every((byte, at) => key[at] === byte)
}
