import { chmodSync, closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { StorageError } from '../storage-error.ts'
import type { SqliteDriverName } from './driver.ts'
import { storageErrorOf } from './fault.ts'
import { loadSqliteDriver } from './load-driver.ts'
import { configureConnection, numberOf, prepareDatabase } from './schema.ts'

export interface RestoreOptions {
  /** The backup. It is left as it is. */
  readonly from: string
  /** The database file to make. It must not exist. */
  readonly into: string
  /** Default `node:sqlite`. */
  readonly driver?: SqliteDriverName
}

/** How far a restore moves the counter: further than any server can have come since the backup. */
export const restoreRaise = 1_000_000_000

/**
 * Makes a database of a backup. The counter goes up by 10^9 and everything earlier counts as compacted, so that nobody who
 * remembers a revision of the lost time takes it for one of the new.
 */
export async function restoreSqlite({ from, into, driver: name = 'node:sqlite' }: RestoreOptions): Promise<void> {
  if (existsSync(into))
    throw new StorageError('invalid', `cannot restore into ${into}: it exists already; move it away first`)
  const driver = await loadSqliteDriver(name)
  try {
    copyFileSync(from, into, constants.COPYFILE_EXCL)
    chmodSync(into, 0o600)
    const connection = driver.open(into)
    try {
      configureConnection(connection, 4096)
      const refusal = prepareDatabase(connection)
      if (refusal !== undefined) throw new StorageError('corrupt', `cannot restore ${from}: ${refusal}`)
      const [line] = connection.query('PRAGMA quick_check(1)').get() ?? []
      if (line !== 'ok') throw new StorageError('corrupt', `cannot restore ${from}: ${String(line)}`)
      const last = numberOf(
        connection,
        "SELECT max((SELECT ifnull(max(revision), 0) FROM entry), ifnull((SELECT value FROM meta WHERE name = 'now'), 0))",
      )
      const raised = last + restoreRaise
      const set = connection.prepare(
        'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      )
      connection.exec('BEGIN IMMEDIATE')
      set.run('now', raised)
      set.run('compacted', raised)
      connection.exec('COMMIT')
    } finally {
      connection.close()
    }
    syncFile(into)
  } catch (error) {
    rmSync(into, { force: true })
    throw storageErrorOf(driver, `restore ${from} into ${into}`, error)
  }
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
