import type { Revision } from '../contract.ts'
import type { Key } from '../key.ts'

/**
 * Encrypts values of encrypted spaces at rest. Backends stamp first and seal afterwards. Key and revision are
 * associated data, so that bytes moved to another row do not open. Calls are synchronous, from one thread only.
 */
export interface Sealer {
  /** Encrypts a value. */
  seal(key: Key, revision: Revision, plain: Uint8Array): Uint8Array
  /** Decrypts a value. Throws StorageError `corrupt` when the bytes were not sealed for this key and revision. */
  open(key: Key, revision: Revision, sealed: Uint8Array): Uint8Array
  /** True when the bytes were sealed with the current data key; `rotate` rewrites the others. */
  isCurrent(sealed: Uint8Array): boolean
}
