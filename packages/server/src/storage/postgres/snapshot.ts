import type { Revision, Snapshot, StoredRow } from '../contract.ts'
import { StorageError } from '../storage-error.ts'
import { storageFailure } from './failure.ts'
import type { CompletePostgresOptions } from './postgres-options.ts'
import { Session } from './session.ts'

/** Creates a snapshot of a store: one transaction on its own connection, which blocks no other. */
export async function openSnapshot(options: CompletePostgresOptions): Promise<Snapshot> {
  const session = await Session.connect(options, 'backup')
  try {
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    // The consumer of the rows may be slow.
    await session.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    const [counter] = await session.query<{ revision: Revision }>(`SELECT revision FROM ${options.schema}.counter`)
    if (counter === undefined) throw new StorageError('invalid', `the schema ${options.schema} has no store`)
    return { revision: counter.revision, rows: rowsOf(session, options.schema) }
  } catch (error) {
    session.close()
    throw error
  }
}

async function* rowsOf(session: Session, schema: string): AsyncGenerator<readonly StoredRow[], void, undefined> {
  try {
    yield* fetchAll(
      session,
      true,
      `SELECT l.key, l.revision, l.tag, l.value FROM ${schema}.log l
       JOIN ${schema}.current c ON c.key = l.key AND c.revision = l.revision WHERE NOT c.deleted ORDER BY l.revision`,
    )
    yield* fetchAll(session, false, `SELECT key, revision, tag, value FROM ${schema}.plain ORDER BY key`)
  } catch (error) {
    throw storageFailure(error, 'back up')
  } finally {
    await session.end()
  }
}

async function* fetchAll(session: Session, history: boolean, select: string): AsyncGenerator<readonly StoredRow[]> {
  await session.query(`DECLARE backup NO SCROLL CURSOR FOR ${select}`)
  for (;;) {
    const rows = await session.query<Omit<StoredRow, 'history'>>(`FETCH ${rowsAtOnce} FROM backup`)
    if (rows.length === 0) break
    yield rows.map((row) => ({ ...row, history }))
  }
  await session.query('CLOSE backup')
}

// Values have up to 3 MiB, states of providers more.
const rowsAtOnce = 100
