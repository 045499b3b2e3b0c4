/** Reasons for a failure. The list is closed: `resource` maps each to a Status. */
export type StorageFailure =
  /** The revision was compacted; the client has to list again. */
  | 'expired'
  /** The revision was not reached yet. */
  | 'future'
  /** A key or value exceeds its size limit. */
  | 'too-large'
  /** The call violates the contract: an unknown space, a past revision without history, a wrong number of segments. */
  | 'invalid'
  /** The store cannot be reached or written now. The call may be repeated; a commit was not made. */
  | 'unavailable'
  /** The connection broke during a commit, which may have been made or not. */
  | 'unknown-outcome'
  /** The bytes read are not those written: a wrong key or a flipped bit. */
  | 'corrupt'
  /** The database was restored, replaced or rolled back under this process; nothing may be served from it. */
  | 'replaced'
  /** The store was closed. */
  | 'closed'

/** The only error class of a store. */
export class StorageError extends Error {
  readonly failure: StorageFailure

  constructor(failure: StorageFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.failure = failure
  }
}
