/** Parameter or result of a statement. */
export type SqliteValue = number | string | Uint8Array | null

/** A row; columns are in the order of the statement. */
export type SqliteRow = readonly SqliteValue[]

/** A prepared statement. It belongs to one connection and is used by one thread. */
export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): unknown
  get(...values: readonly SqliteValue[]): SqliteRow | undefined
  all(...values: readonly SqliteValue[]): readonly SqliteRow[]
}

/** A connection to a database file, with the operations that the store uses. */
export interface SqliteConnection {
  /** Runs statements without results. */
  exec(sql: string): void
  /** Prepares a statement that writes. */
  prepare(sql: string): SqliteStatement
  /** Prepares a statement that returns rows. */
  query(sql: string): SqliteStatement
  /** True while a transaction is open; some errors end it. */
  readonly inTransaction: boolean
  close(): void
}

/** A binding to SQLite. */
export interface SqliteDriver {
  readonly name: SqliteDriverName
  open(file: string): SqliteConnection
  /** SQLite's primary result code of an error, or undefined when it is not an SQLite error. */
  codeOf(error: unknown): number | undefined
}

export type SqliteDriverName = 'node:sqlite' | 'better-sqlite3'

/** Result codes that the store distinguishes. */
export const sqliteCodes = {
  error: 1,
  busy: 5,
  locked: 6,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const
