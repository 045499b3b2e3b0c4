import { newIncarnation } from '../incarnation.ts'
import type { SqliteConnection } from './driver.ts'

/**
 * Two tables keyed by revision, both only ever appended to at the end: `log` has the values, `entry` all that is needed to
 * rebuild the index without reading them. `meta` has what neither shows.
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

/** What a row of `entry` says besides: bits of `flags`. */
export const entryFlags = {
  /** The key was deleted; the value is its final bytes. */
  deleted: 1,
  /** The key was absent before, though an older delete may be in `previous`. */
  created: 2,
  /** More of the same group follows in the log. */
  continued: 4,
  /** The space keeps no history: the row is no part of the log of changes. */
  plain: 8,
} as const

/** The numbers in `meta`. */
export type MetaName =
  /** The last revision, where the last row does not show it. */
  | 'now'
  /** Reads below this revision are expired. */
  | 'compacted'
  /** Up to here the rows that compaction gives up are gone; below `compacted` while it runs. */
  | 'swept'
  /** Random; a restore gives a new one. */
  | 'incarnation'
  /** 1 while a server has the database open, and after it crashed: the write-ahead log must then exist. */
  | 'open'

/** Asks for the revision that a database is at. */
export const lastRevision =
  "SELECT max((SELECT ifnull(max(revision), 0) FROM entry), ifnull((SELECT value FROM meta WHERE name = 'now'), 0))"

/** The format of the file, so that a newer one is refused in words. */
export const formatVersion = 1
/** Marks a database file as one of these: the letters HYKB. */
export const applicationId = 0x48594b42

/** The size of a page: large, because rows of about 2 KB leave half of a small page empty. */
export const pageBytes = 16_384

/**
 * Settings of every connection that reads or writes the data. A commit does not wait for the disk by itself: see WalSync.
 * Checkpoints do, so that the database never has what the log does not.
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

/** How much memory a connection keeps pages of the file in. */
export function limitCache(connection: SqliteConnection, kilobytes: number): void {
  connection.exec(`PRAGMA cache_size = -${kilobytes}`)
}

/** Makes a new database, or checks that an old one is ours. Returns words when it is not. */
export function prepareDatabase(connection: SqliteConnection): string | undefined {
  const version = numberOf(connection, 'PRAGMA user_version')
  if (version === formatVersion && numberOf(connection, 'PRAGMA application_id') === applicationId) return undefined
  const tables = numberOf(connection, 'SELECT count(*) FROM sqlite_master')
  if (tables > 0) return version > formatVersion ? 'a newer version wrote it' : 'it is another program’s database'
  connection.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL;`)
  connection.exec(
    `BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${formatVersion}; PRAGMA application_id = ${applicationId}; COMMIT;`,
  )
  return undefined
}

const setOpen = "INSERT INTO meta VALUES ('open', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

/**
 * Notes in the database file itself that its write-ahead log is in use. Without that log it would otherwise open as it was
 * at the last checkpoint, and a young one as empty.
 */
export function markOpen(connection: SqliteConnection): void {
  connection.prepare(setOpen).run(1)
  connection.query('PRAGMA wal_checkpoint(PASSIVE)').get()
}

/** To be called right before the last connection closes, which brings all of the log into the database. */
export function markClosed(connection: SqliteConnection): void {
  connection.prepare(setOpen).run(0)
}

/** Whether the last server that had the database open did not close it. */
export function isMarkedOpen(connection: SqliteConnection): boolean {
  return numberOf(connection, "SELECT value FROM meta WHERE name = 'open'") === 1
}

/** Gives a database an incarnation if it has none, as files of earlier versions. Returns the one it has. */
export function giveIncarnation(connection: SqliteConnection): number {
  if (incarnationOf(connection) === 0)
    connection.prepare("INSERT INTO meta VALUES ('incarnation', ?)").run(newIncarnation())
  return incarnationOf(connection)
}

/** The incarnation of a database; 0 for none. */
export function incarnationOf(connection: SqliteConnection): number {
  return numberOf(connection, "SELECT value FROM meta WHERE name = 'incarnation'")
}

/** The one number that a query answers. */
export function numberOf(connection: SqliteConnection, sql: string): number {
  return Number(connection.query(sql).get()?.[0] ?? 0)
}
