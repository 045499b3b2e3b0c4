import type { ObservedChange } from './observed-change.ts'

/** Changes that many watchers are given together, with what they make of all of them worked out once. */
export class ObservedBatch {
  readonly changes: readonly ObservedChange[]
  readonly #encodings = new Map<string, Uint8Array>()

  constructor(changes: readonly ObservedChange[]) {
    this.changes = changes
  }

  /** The changes in some encoding, made by the first who asks. */
  encoded(form: string, encode: (changes: readonly ObservedChange[]) => Uint8Array): Uint8Array {
    let bytes = this.#encodings.get(form)
    if (bytes === undefined) {
      bytes = encode(this.changes)
      this.#encodings.set(form, bytes)
    }
    return bytes
  }
}
