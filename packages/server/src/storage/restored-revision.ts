import type { Revision } from './contract.ts'

/** A restore advances the counter by this much: further than any server can have written since the backup. */
export const restoreRaise = 1_000_000_000

/**
 * First revision of a restored store. Everything earlier counts as compacted, so that a client with a revision from the
 * lost time cannot mistake it for a new one.
 */
export function restoredRevision(revision: Revision): Revision {
  return revision + restoreRaise
}
