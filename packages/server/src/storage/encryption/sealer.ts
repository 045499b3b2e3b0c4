import type { Revision } from '../contract.ts'
import type { Key } from '../key.ts'

/**
 * Turns values of encrypted spaces into what is kept, and back. Backends stamp first and seal then; key and revision are
 * associated data, so that bytes moved to another row do not open. Calls are synchronous and may come from one thread only.
 */
export interface Sealer {
  /** What is kept in place of a value. */
  seal(key: Key, revision: Revision, plain: Uint8Array): Uint8Array
  /** The value again. Throws StorageError `corrupt` when the bytes are not what was sealed for this key and revision. */
  open(key: Key, revision: Revision, sealed: Uint8Array): Uint8Array
  /** Whether the bytes were sealed with the key that `seal` uses now; `rotate` rewrites the others. */
  isCurrent(sealed: Uint8Array): boolean
}
