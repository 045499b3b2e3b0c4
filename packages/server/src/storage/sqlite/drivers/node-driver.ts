import { DatabaseSync } from 'node:sqlite'
import type { SqliteDriver, SqliteStatement } from './driver.ts'

/** SQLite of Node. */
export const nodeDriver: SqliteDriver = {
  name: 'node:sqlite',
  open(file) {
    const database = new DatabaseSync(file)
    const prepare = (sql: string): SqliteStatement => {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return statement as unknown as SqliteStatement
    }
    return {
      exec: (sql) => database.exec(sql),
      prepare,
      query: prepare,
      get inTransaction() {
        return database.isTransaction
      },
      close: () => database.close(),
    }
  },
  codeOf(error) {
    const code = (error as { errcode?: unknown } | undefined)?.errcode
    // The lower eight bits are the primary code.
    return typeof code === 'number' ? code & 0xff : undefined
  },
}
