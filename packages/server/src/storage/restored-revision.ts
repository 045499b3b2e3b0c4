import type { Revision } from './contract.ts'

/** How far a restore moves the counter: further than any server can have come since the backup. */
export const restoreRaise = 1_000_000_000

/**
 * Where a restored store goes on. Everything earlier counts as compacted, so that nobody who remembers a revision of the lost
 * time takes it for one of the new.
 */
export function restoredRevision(revision: Revision): Revision {
  return revision + restoreRaise
}
