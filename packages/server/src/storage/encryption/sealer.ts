import type { Revision } from '../contract.ts'
import type { Key } from '../key.ts'

/**
 * Turns the values of encrypted spaces into what is kept, and back. A store calls it for each value it writes, after the
 * revision is known and stamped, and for each one it reads; calls come often and must not wait.
 */
export interface Sealer {
  /** The bytes to keep for a value of this key at this revision. */
  seal(key: Key, revision: Revision, plain: Uint8Array): Uint8Array
  /** The value again. Fails with `corrupt` for bytes that were not sealed for this key and revision. */
  open(key: Key, revision: Revision, sealed: Uint8Array): Uint8Array
  /** Whether these bytes were sealed with the key that `seal` uses now; rotation rewrites the others. */
  isCurrent(sealed: Uint8Array): boolean
}
