import { newIncarnation } from '../incarnation.ts'
import { StorageError } from '../storage-error.ts'
import type { Session } from './session.ts'
import { missingCodes } from './store-identity.ts'

/** Version of the table layout. A store with another version is rejected. */
export const layoutVersion = 1

/**
 * Creates missing tables.
 *
 * - `counter`: one row, locked by each commit; the lock orders commits. `batch` and `token` are those of the newest row
 * of `batch`; `logged` is the newest row of the log, or 0.
 * - `batch`: each transaction by its last revision, with a random token. A server finds the last batch it saw here,
 * unless the database was replaced by a diverged copy.
 * - `log`: every write in spaces with history by revision, with its value. `previous` is the key's previous row,
 * deletes included, so that the history of a key needs no index. `last` is the last revision of its group.
 * - `current`: the current log row of each key; deleted keys stay until compaction, so that ranges at a past revision
 * find them.
 * - `plain`: keys of spaces without history, with their values.
 * - `writer`: the last batch of each server, so that a server whose connection broke can determine its outcome.
 */
export async function prepareSchema(
  session: Session,
  schema: string,
  report: (message: string) => void,
): Promise<void> {
  const layout = (await readLayout(session, schema)) ?? (await makeSchema(session, schema, report))
  if (layout !== layoutVersion) {
    throw new StorageError(
      'invalid',
      `the schema ${schema} has layout ${layout}, but this program supports ${layoutVersion}: use the program that created it`,
    )
  }
  await giveIncarnation(session, schema)
  await session.query(`DELETE FROM ${schema}.writer WHERE touched < pg_catalog.now() - interval '30 days'`)
}

/**
 * Sets an incarnation if the store has none. Tables of earlier versions lack the columns; those versions never read
 * them.
 */
export async function giveIncarnation(session: Session, schema: string): Promise<void> {
  const set = () =>
    session.query(
      // Referring to `logged` fails when any of the columns is missing.
      `UPDATE ${schema}.counter SET incarnation = $1::int8 WHERE id = 1 AND incarnation IS NULL AND logged >= 0`,
      [newIncarnation()],
    )
  try {
    await set()
  } catch (error) {
    if (!missingCodes.includes(codeOf(error))) throw error
    const columns = identityColumns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')
    await repeatUntilAlone(session, [batchTable(schema), `ALTER TABLE ${schema}.counter ${columns}`])
    await set()
  }
}

async function readLayout(session: Session, schema: string): Promise<number | undefined> {
  try {
    const [counter] = await session.query<{ layout: number }>(`SELECT layout FROM ${schema}.counter`)
    return counter?.layout
  } catch (error) {
    if (missingCodes.includes(codeOf(error))) return undefined
    throw error
  }
}

async function makeSchema(session: Session, schema: string, report: (message: string) => void): Promise<number> {
  await repeatUntilAlone(session, tables(schema))
  // Databases compatible with PostgreSQL have other storage options.
  for (const statement of tuning(schema)) {
    await session
      .query(statement)
      .catch((error) => report(`the database rejected the optional setting "${statement}": ${error.message}`))
  }
  return (await readLayout(session, schema))!
}

// Statements of servers that start at the same time conflict; the one that fails tries again.
async function repeatUntilAlone(session: Session, statements: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      for (const statement of statements) await session.query(statement)
      return
    } catch (error) {
      if (attempt === 10 || !raceCodes.includes(codeOf(error))) throw error
    }
  }
}

const raceCodes = ['23505', '42P06', '42P07', '42710', 'XX000', '40001', '40P01']

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}

const identityColumns = [
  'incarnation int8',
  'batch int8 NOT NULL DEFAULT 0',
  'token int8 NOT NULL DEFAULT 0',
  'logged int8 NOT NULL DEFAULT 0',
]

function batchTable(schema: string): string {
  return `CREATE TABLE IF NOT EXISTS ${schema}.batch (
    revision int8 PRIMARY KEY,
    token int8 NOT NULL,
    made timestamptz NOT NULL)`
}

function tables(schema: string): string[] {
  return [
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `CREATE TABLE IF NOT EXISTS ${schema}.counter (
       id int4 PRIMARY KEY CHECK (id = 1),
       layout int4 NOT NULL,
       revision int8 NOT NULL,
       compacted int8 NOT NULL,
       cleaned int8 NOT NULL,
       ${identityColumns.join(', ')})`,
    batchTable(schema),
    `CREATE TABLE IF NOT EXISTS ${schema}.log (
       revision int8 PRIMARY KEY,
       last int8 NOT NULL,
       key bytea NOT NULL,
       kind int4 NOT NULL,
       previous int8,
       tag int4 NOT NULL,
       value bytea NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${schema}.current (
       key bytea PRIMARY KEY,
       revision int8 NOT NULL,
       deleted bool NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${schema}.plain (
       key bytea PRIMARY KEY,
       revision int8 NOT NULL,
       tag int4 NOT NULL,
       value bytea NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${schema}.writer (
       id text PRIMARY KEY,
       batch int8 NOT NULL,
       touched timestamptz NOT NULL)`,
    `INSERT INTO ${schema}.counter (id, layout, revision, compacted, cleaned)
       VALUES (1, ${layoutVersion}, 0, 0, 0) ON CONFLICT (id) DO NOTHING`,
  ]
}

// Values of a few kilobytes are stored inline and uncompressed: compression costs more time than it saves.
function tuning(schema: string): string[] {
  return ['log', 'plain'].flatMap((table) => [
    `ALTER TABLE ${schema}.${table} ALTER COLUMN value SET STORAGE EXTERNAL`,
    `ALTER TABLE ${schema}.${table} SET (toast_tuple_target = 8160)`,
  ])
}
