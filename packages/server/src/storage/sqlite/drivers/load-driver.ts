import type { SqliteDriver, SqliteDriverName } from './driver.ts'

/** Loads a driver on first use. */
export async function loadSqliteDriver(name: SqliteDriverName): Promise<SqliteDriver> {
  if (name === 'node:sqlite') return (await import('./node-driver.ts')).nodeDriver
  return (await import('./better-driver.ts')).loadBetterDriver()
}
