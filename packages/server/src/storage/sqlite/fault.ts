import { messageOf } from '@hykube/machinery/base'
import { StorageError } from '../storage-error.ts'
import { type SqliteDriver, sqliteCodes } from './drivers/driver.ts'

/** Converts an SQLite error to a StorageError; a StorageError is returned unchanged. */
export function storageErrorOf(driver: SqliteDriver, attempted: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const code = driver.codeOf(error)
  const corrupt = code === sqliteCodes.corrupt || code === sqliteCodes.notADatabase
  const words = code === undefined ? '' : (advice[code] ?? '')
  return new StorageError(corrupt ? 'corrupt' : 'unavailable', `cannot ${attempted}: ${messageOf(error)}${words}`, {
    cause: error,
  })
}

const advice: Readonly<Record<number, string>> = {
  [sqliteCodes.full]: '; free disk space, then writes continue',
  [sqliteCodes.readonly]: '; make the file and its directory writable',
  [sqliteCodes.corrupt]: '; restore a backup',
  [sqliteCodes.notADatabase]: '; restore a backup',
}
