import { StorageError } from '../storage-error.ts'
import { compactLog } from './compaction.ts'
import { storageFailure } from './failure.ts'
import { completePostgresOptions, type PostgresPlace } from './postgres-options.ts'
import { Session } from './session.ts'
import { createStatements } from './statements.ts'

/** How far a restored store moves ahead of everything that was seen before it. */
export const restoredLeap = 1_000_000_000

/**
 * Tells a database that it was restored from a backup: revisions go on far above any that were given out after the backup
 * was made, and everything before counts as compacted, so that no client takes the new past for the old one. To be called
 * once, before a server starts. Returns the revision the store is at.
 */
export async function restored(place: PostgresPlace): Promise<number> {
  const options = completePostgresOptions({ ...place, spaces: [] })
  try {
    const session = await Session.connect(options, 'restore')
    try {
      const [counter] = await session.query<{ revision: number }>(
        `UPDATE ${options.schema}.counter SET revision = revision + ${restoredLeap}, compacted = revision + ${restoredLeap}
         WHERE id = 1 RETURNING revision`,
      )
      if (counter === undefined) throw new StorageError('invalid', `the schema ${options.schema} holds no store`)
      return await compactLog(session, createStatements(options.schema), counter.revision)
    } finally {
      await session.end()
    }
  } catch (error) {
    throw storageFailure(error, `prepare the restored store in schema ${options.schema}`)
  }
}
