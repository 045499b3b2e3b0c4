import type { Revision, Space } from './contract.ts'
import { StorageError } from './storage-error.ts'

/** Throws for a read at a revision in a space without history, and for a revision that was not reached. */
export function checkReadRevision(space: Space, revision: Revision | undefined, now: Revision): void {
  if (revision === undefined) return
  if (!space.history)
    throw new StorageError('invalid', `cannot read space ${space.name} at a revision: it keeps no history`)
  checkReached(revision, now)
}

/** Throws for an invalid revision, or one that was not reached. */
export function checkReached(revision: Revision, now: Revision): void {
  if (!Number.isSafeInteger(revision) || revision < 0)
    throw new StorageError('invalid', `cannot use ${revision} as a revision`)
  if (revision > now) throw new StorageError('future', `cannot read at revision ${revision}: the store is at ${now}`)
}

/** Error for a revision below the compacted one. */
export function expiredAt(revision: Revision, compacted: Revision): StorageError {
  return new StorageError(
    'expired',
    `cannot read at revision ${revision}: everything before ${compacted} was compacted`,
  )
}

/** Throws for a page limit below 1. */
export function checkPageLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw new StorageError('invalid', `cannot read a page of ${limit} entries`)
}
