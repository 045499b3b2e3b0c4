import type { ObservedChange } from './observed-change.ts'

/** Changes that are delivered to many watchers, with each encoding computed once. */
export class ObservedBatch {
  readonly changes: readonly ObservedChange[]
  readonly #encodings = new Map<string, Uint8Array>()

  constructor(changes: readonly ObservedChange[]) {
    this.changes = changes
  }

  /** Returns the changes in an encoding, computed on first use. */
  encoded(form: string, encode: (changes: readonly ObservedChange[]) => Uint8Array): Uint8Array {
    let bytes = this.#encodings.get(form)
    if (bytes === undefined) {
      bytes = encode(this.changes)
      this.#encodings.set(form, bytes)
    }
    return bytes
  }
}
