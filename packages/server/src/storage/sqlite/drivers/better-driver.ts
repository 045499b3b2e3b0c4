import type { SqliteDriver, SqliteStatement } from './driver.ts'
import { sqliteCodes } from './driver.ts'

/** SQLite through better-sqlite3, installed only for tests: an independent binding to compare with. */
export async function loadBetterDriver(): Promise<SqliteDriver> {
  const { default: Database } = await import('better-sqlite3')
  return {
    name: 'better-sqlite3',
    open(file) {
      const database = new Database(file)
      return {
        exec: (sql) => {
          database.exec(sql)
        },
        prepare: (sql) => database.prepare(sql) as unknown as SqliteStatement,
        query: (sql) => database.prepare(sql).raw(true) as unknown as SqliteStatement,
        get inTransaction() {
          return database.inTransaction
        },
        close: () => {
          database.close()
        },
      }
    },
    codeOf: (error) => codeOfName((error as { code?: unknown } | undefined)?.code),
  }
}

const names: Readonly<Record<string, number>> = {
  BUSY: sqliteCodes.busy,
  LOCKED: sqliteCodes.locked,
  READONLY: sqliteCodes.readonly,
  IOERR: sqliteCodes.io,
  CORRUPT: sqliteCodes.corrupt,
  FULL: sqliteCodes.full,
  CANTOPEN: sqliteCodes.cannotOpen,
  NOTADB: sqliteCodes.notADatabase,
}

function codeOfName(code: unknown): number | undefined {
  const name = typeof code === 'string' ? /^SQLITE_([A-Z]+)/.exec(code)?.[1] : undefined
  return name === undefined ? undefined : (names[name] ?? 1)
}
