import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from '../storage-error.ts'
import { type SqliteDriver, sqliteCodes } from './drivers/driver.ts'
import { loadSqliteDriver } from './drivers/load-driver.ts'

/** Prevents a second process from opening a database file. */
export function lockFile(driver: SqliteDriver, file: string): { release(): void } {
  return lock(
    driver,
    `${file}.lock`,
    `cannot open ${file}: another process is using it; stop that one, or use another file`,
  )
}

/** Prevents a second server from using a data directory, with any store: keys and kubeconfig belong to one server. */
export async function lockDirectory(directory: string): Promise<{ release(): void }> {
  return lock(
    await loadSqliteDriver('node:sqlite'),
    join(directory, 'server.lock'),
    `the data directory ${directory} is in use by another server; stop that one, or use another directory: --data-dir DIR`,
  )
}

// An operating system lock on a small file that SQLite holds exclusively. It ends with the process, so that no stale
// lock remains.
function lock(driver: SqliteDriver, path: string, refusal: string): { release(): void } {
  closeSync(openSync(path, 'a', 0o600))
  const connection = driver.open(path)
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;')
  } catch (error) {
    connection.close()
    if (driver.codeOf(error) !== sqliteCodes.busy) throw error
    throw new StorageError('unavailable', refusal)
  }
  return { release: () => connection.close() }
}
