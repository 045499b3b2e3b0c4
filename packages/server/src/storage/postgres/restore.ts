import type { Revision, Snapshot, StoredRow } from '../contract.ts'
import { newIncarnation } from '../incarnation.ts'
import { restoredRevision } from '../restored-revision.ts'
import { StorageError } from '../storage-error.ts'
import { currentColumns, logColumns, plainColumns } from './batch-columns.ts'
import { storageFailure } from './failure.ts'
import { completePostgresOptions, type PostgresPlace } from './postgres-options.ts'
import { prepareSchema } from './schema.ts'
import { Session } from './session.ts'
import { createStatements, rowKind, type Statements } from './statements.ts'

/** Target and content of a restore. */
export interface RestorePostgresOptions extends PostgresPlace {
  readonly snapshot: Snapshot
}

/** Restores a snapshot into a database without a store, in one transaction. Returns its revision. */
export async function restorePostgres({ snapshot, ...place }: RestorePostgresOptions): Promise<Revision> {
  const options = completePostgresOptions({ ...place, spaces: [] })
  try {
    const session = await Session.connect(options, 'restore')
    try {
      await prepareSchema(session, options.schema, options.report)
      await session.query('BEGIN')
      await session.query('SET LOCAL idle_in_transaction_session_timeout = 0')
      const statements = createStatements(options.schema)
      const [counter] = await session.query<{ now: Revision }>(statements.lockCounter)
      if (counter!.now !== 0)
        throw new StorageError(
          'invalid',
          `the schema ${options.schema} already has a store; use an empty database, or drop the schema first`,
        )
      for await (const rows of snapshot.rows) await write(session, statements, rows)
      const revision = restoredRevision(snapshot.revision)
      await session.query(
        `UPDATE ${options.schema}.counter
         SET revision = $1::int8, compacted = $1::int8, cleaned = $1::int8, incarnation = $2::int8 WHERE id = 1`,
        [revision, newIncarnation()],
      )
      await session.query('COMMIT')
      return revision
    } finally {
      await session.end()
    }
  } catch (error) {
    throw storageFailure(error, `restore into schema ${options.schema}`)
  }
}

async function write(session: Session, statements: Statements, rows: readonly StoredRow[]): Promise<void> {
  const kept = rows
    .filter(({ history }) => history)
    .map((row) => ({ ...row, last: row.revision, kind: rowKind.create, previous: null, deleted: false }))
  await session.query(statements.insertLog, logColumns(kept))
  await session.query(statements.upsertCurrent, currentColumns(kept))
  await session.query(statements.upsertPlain, plainColumns(rows.filter(({ history }) => !history)))
}
