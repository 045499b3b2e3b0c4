/** What is bound to a statement and what comes back. */
export type SqliteValue = number | string | Uint8Array | null

/** A row, its columns in the order of the statement. */
export type SqliteRow = readonly SqliteValue[]

/** A prepared statement. It belongs to its connection and is used by one thread. */
export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): unknown
  get(...values: readonly SqliteValue[]): SqliteRow | undefined
  all(...values: readonly SqliteValue[]): readonly SqliteRow[]
}

/** One connection to a database file: the little that the store asks of SQLite. */
export interface SqliteConnection {
  /** Runs statements that answer nothing. */
  exec(sql: string): void
  /** Prepares a statement that writes. */
  prepare(sql: string): SqliteStatement
  /** Prepares a statement that answers rows. */
  query(sql: string): SqliteStatement
  /** Whether a transaction is open: some failures end it by themselves. */
  readonly inTransaction: boolean
  close(): void
}

/** A binding to SQLite. */
export interface SqliteDriver {
  readonly name: SqliteDriverName
  open(file: string): SqliteConnection
  /** SQLite's primary result code for an error, undefined when it is not SQLite's. */
  codeOf(error: unknown): number | undefined
}

export type SqliteDriverName = 'node:sqlite' | 'better-sqlite3'

/** The result codes that the store tells apart. */
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
