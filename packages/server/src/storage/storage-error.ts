/** Why a store could not do what it was asked. Closed: `resource` turns each into a Status. */
export type StorageFailure =
  /** The revision was compacted: list again. */
  | 'expired'
  /** The revision was never reached here. */
  | 'future'
  /** A value or key is larger than allowed. */
  | 'too-large'
  /** The call breaks the contract: an unknown space, history where there is none, too many segments. */
  | 'invalid'
  /** The store can't be reached or written now; the call may be repeated, and a commit was not made. */
  | 'unavailable'
  /** The connection broke while a commit was on its way: it may have been made or not. */
  | 'unknown-outcome'
  /** What was read is not what was written: a wrong key, a flipped bit. */
  | 'corrupt'
  /** The database was restored, replaced or set back under this process: nothing may be served from it any more. */
  | 'replaced'
  /** The store was closed. */
  | 'closed'

/** The one error a store throws. */
export class StorageError extends Error {
  readonly failure: StorageFailure

  constructor(failure: StorageFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.failure = failure
  }
}
