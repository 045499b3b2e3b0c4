import { restoreMarkKey } from '../backup/restore-mark.ts'
import { newIncarnation } from '../incarnation.ts'
import { restoreRaise } from '../restored-revision.ts'
import { StorageError } from '../storage-error.ts'
import { plainColumns } from './batch-columns.ts'
import { compactLog } from './compaction.ts'
import { storageFailure } from './failure.ts'
import { completePostgresOptions, type PostgresPlace } from './postgres-options.ts'
import { giveIncarnation } from './schema.ts'
import { Session } from './session.ts'
import { createStatements } from './statements.ts'

/**
 * Prepares a database that was restored with its own tools: advances the counter far above any revision assigned after
 * the backup, and marks everything before as compacted, so that no client mistakes new revisions for old ones. Call it
 * once, before a server starts. Returns the revision.
 */
export async function restored(place: PostgresPlace): Promise<number> {
  const options = completePostgresOptions({ ...place, spaces: [] })
  try {
    const session = await Session.connect(options, 'restore')
    try {
      await giveIncarnation(session, options.schema)
      const [counter] = await session.query<{ revision: number }>(
        `UPDATE ${options.schema}.counter SET revision = revision + ${restoreRaise},
         compacted = revision + ${restoreRaise}, incarnation = $1::int8 WHERE id = 1 RETURNING revision`,
        [newIncarnation()],
      )
      if (counter === undefined) throw new StorageError('invalid', `the schema ${options.schema} has no store`)
      const statements = createStatements(options.schema)
      const revision = counter.revision - restoreRaise
      const mark = { key: restoreMarkKey, revision, tag: 0, value: new Uint8Array() }
      await session.query(statements.upsertPlain, plainColumns([mark]))
      return await compactLog(session, statements, counter.revision)
    } finally {
      await session.end()
    }
  } catch (error) {
    throw storageFailure(error, `prepare the restored store in schema ${options.schema}`)
  }
}
