import type { Change, ChangeBatch, Revision } from './contract.ts'
import { encodeKey } from './key.ts'

/** A batch that many followers are given, with the selections they ask for made once. */
export class SharedBatch {
  /** The revision that the batch follows on. */
  readonly from: Revision
  readonly revision: Revision
  /** About how much memory it holds. */
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

  /** Whether it holds changes in a space, or any. */
  concerns(space: string | undefined): boolean {
    return this.#of(space).changes.length > 0
  }

  /** What a follower at a position gets. */
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

// What a change costs besides its bytes.
const objectBytes = 200

function inSpace(space: string): (change: Change) => boolean {
  const prefix = encodeKey(space, [])
  return ({ key }) => prefix.every((byte, at) => key[at] === byte)
}
