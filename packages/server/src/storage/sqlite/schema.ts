import { newIncarnation } from '../incarnation.ts'
import type { SqliteConnection } from './drivers/driver.ts'

/**
 * Two append-only tables keyed by revision: `log` has the values; `entry` is narrow and has everything needed to
 * rebuild the index without reading values. `meta` has the remaining numbers.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS log (revision INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS entry (
    revision INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    previous INTEGER NOT NULL,
    size INTEGER NOT NULL,
    tag INTEGER NOT NULL,
    flags INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
`

/** Bits of `flags` in `entry`. */
export const entryFlags = {
  /** The key was deleted; the value is its final bytes. */
  deleted: 1,
  /** The key did not exist before, although an older delete may be in `previous`. */
  created: 2,
  /** More changes of the same group follow in the log. */
  continued: 4,
  /** The space keeps no history: the row is not in the log of changes. */
  plain: 8,
} as const

/** Names of the numbers in `meta`. */
export type MetaName =
  /** Last revision, when the last row has an earlier one. */
  | 'now'
  /** Reads below this revision are expired. */
  | 'compacted'
  /** Superseded rows up to here are deleted; below `compacted` while compaction runs. */
  | 'swept'
  /** Random; a restore sets a new one. */
  | 'incarnation'
  /** 1 while a server has the database open, and after a crash: the write-ahead log must then exist. */
  | 'open'

/** Selects the revision of a database. */
export const lastRevision =
  "SELECT max((SELECT ifnull(max(revision), 0) FROM entry), ifnull((SELECT value FROM meta WHERE name = 'now'), 0))"

/** File format; a newer one is rejected with an error. */
export const formatVersion = 1
/** Marks a database file as one of ours: the letters HYKB. */
export const applicationId = 0x48594b42

/** Page size. Large, because rows of about 2 KB would leave half of a small page empty. */
export const pageBytes = 16_384

/**
 * Sets up a connection that reads or writes data. Commits do not sync by themselves: see WalSync. Checkpoints do, so
 * that the database never has pages that the log has not.
 */
export function configureConnection(connection: SqliteConnection, cacheKilobytes: number): void {
  connection.exec(`
    PRAGMA busy_timeout = 10000;
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA temp_store = MEMORY;
  `)
  limitCache(connection, cacheKilobytes)
}

/** Limits the memory for cached pages of a connection. */
export function limitCache(connection: SqliteConnection, kilobytes: number): void {
  connection.exec(`PRAGMA cache_size = -${kilobytes}`)
}

/** Creates a new database, or checks that an existing one is ours. Returns an error message when it is not. */
export function prepareDatabase(connection: SqliteConnection): string | undefined {
  const version = numberOf(connection, 'PRAGMA user_version')
  if (version === formatVersion && numberOf(connection, 'PRAGMA application_id') === applicationId) return undefined
  const tables = numberOf(connection, 'SELECT count(*) FROM sqlite_master')
  if (tables > 0)
    return version > formatVersion ? 'it was written by a newer version' : 'it is a database of another program'
  connection.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL;`)
  connection.exec(
    `BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${formatVersion}; PRAGMA application_id = ${applicationId}; COMMIT;`,
  )
  return undefined
}

const setOpen = "INSERT INTO meta VALUES ('open', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

/**
 * Records in the database file that its write-ahead log is in use. Without this mark, a database whose log was lost
 * would open in the state of the last checkpoint, or as empty.
 */
export function markOpen(connection: SqliteConnection): void {
  connection.prepare(setOpen).run(1)
  connection.query('PRAGMA wal_checkpoint(PASSIVE)').get()
}

/** Call it right before the last connection closes, which checkpoints the whole log. */
export function markClosed(connection: SqliteConnection): void {
  connection.prepare(setOpen).run(0)
}

/** True when the last server did not close the database. */
export function isMarkedOpen(connection: SqliteConnection): boolean {
  return numberOf(connection, "SELECT value FROM meta WHERE name = 'open'") === 1
}

/** Sets an incarnation if the database has none (files of earlier versions). Returns it. */
export function giveIncarnation(connection: SqliteConnection): number {
  if (incarnationOf(connection) === 0)
    connection.prepare("INSERT INTO meta VALUES ('incarnation', ?)").run(newIncarnation())
  return incarnationOf(connection)
}

/** Returns the incarnation of a database; 0 for none. */
export function incarnationOf(connection: SqliteConnection): number {
  return numberOf(connection, "SELECT value FROM meta WHERE name = 'incarnation'")
}

/** Returns the single number that a query selects. */
export function numberOf(connection: SqliteConnection, sql: string): number {
  return Number(connection.query(sql).get()?.[0] ?? 0)
}
