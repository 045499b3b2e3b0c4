import { closeSync, openSync } from 'node:fs'
import { StorageError } from '../storage-error.ts'
import { type SqliteDriver, sqliteCodes } from './driver.ts'

/**
 * Keeps a second process from a database file. The lock is the operating system's, on a small file beside the data that
 * SQLite holds exclusively: it ends with the process, however that ends, so nothing is left behind to clean up.
 */
export function lockFile(driver: SqliteDriver, file: string): { release(): void } {
  const path = `${file}.lock`
  closeSync(openSync(path, 'a', 0o600))
  const connection = driver.open(path)
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;')
  } catch (error) {
    connection.close()
    if (driver.codeOf(error) !== sqliteCodes.busy) throw error
    throw new StorageError(
      'unavailable',
      `cannot open ${file}: another process is using it; stop that one, or use another file`,
    )
  }
  return { release: () => connection.close() }
}
