import type { Revision, Space } from './contract.ts'
import { StorageError } from './storage-error.ts'

/** Refuses a read at a revision in a space without history, and one at a revision that was never reached. */
export function checkReadRevision(space: Space, revision: Revision | undefined, now: Revision): void {
  if (revision === undefined) return
  if (!space.history)
    throw new StorageError('invalid', `cannot read space ${space.name} at a revision: it keeps no history`)
  checkReached(revision, now)
}

/** Refuses a revision that is no revision or was never reached here. */
export function checkReached(revision: Revision, now: Revision): void {
  if (!Number.isSafeInteger(revision) || revision < 0)
    throw new StorageError('invalid', `cannot use ${revision} as a revision`)
  if (revision > now) throw new StorageError('future', `cannot read at revision ${revision}: the store is at ${now}`)
}

/** The failure of a read or follower that names a revision below the compacted one. */
export function expiredAt(revision: Revision, compacted: Revision): StorageError {
  return new StorageError(
    'expired',
    `cannot read at revision ${revision}: everything before ${compacted} was compacted`,
  )
}

/** Refuses a page that could hold nothing. */
export function checkPageLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw new StorageError('invalid', `cannot read a page of ${limit} entries`)
}
