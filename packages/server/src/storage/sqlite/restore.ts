import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Revision, Snapshot, StoredRow } from '../contract.ts'
import { newIncarnation } from '../incarnation.ts'
import { restoredRevision } from '../restored-revision.ts'
import { StorageError } from '../storage-error.ts'
import type { SqliteConnection, SqliteDriverName } from './drivers/driver.ts'
import { loadSqliteDriver } from './drivers/load-driver.ts'
import { storageErrorOf } from './fault.ts'
import { configureConnection, entryFlags, prepareDatabase } from './schema.ts'

export interface RestoreSqliteOptions {
  /** Database file to create. It must not exist. */
  readonly file: string
  /** Content. */
  readonly snapshot: Snapshot
  /** Default `node:sqlite`. */
  readonly driver?: SqliteDriverName
}

/** Creates a database from a snapshot, completely or not at all. Returns its revision. */
export async function restoreSqlite({
  file,
  snapshot,
  driver: name = 'node:sqlite',
}: RestoreSqliteOptions): Promise<Revision> {
  if (existsSync(file))
    throw new StorageError('invalid', `cannot restore into ${file}: it already exists; move it away first`)
  const driver = await loadSqliteDriver(name)
  const unfinished = `${file}.restoring`
  try {
    removeDatabase(unfinished)
    closeSync(openSync(unfinished, 'wx', 0o600))
    const connection = driver.open(unfinished)
    try {
      configureConnection(connection, 4096)
      prepareDatabase(connection)
      // The file is used only when complete, so it needs no crash safety.
      connection.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;')
      const write = writer(connection)
      for await (const rows of snapshot.rows) write(rows)
      setRevision(connection, restoredRevision(snapshot.revision))
      connection.exec('PRAGMA journal_mode = WAL')
    } finally {
      connection.close()
    }
    chmodSync(unfinished, 0o600)
    sync(unfinished)
    renameSync(unfinished, file)
    sync(dirname(file))
    return restoredRevision(snapshot.revision)
  } catch (error) {
    removeDatabase(unfinished)
    throw storageErrorOf(driver, `restore into ${file}`, error)
  }
}

function writer(connection: SqliteConnection): (rows: readonly StoredRow[]) => void {
  const log = connection.prepare('INSERT INTO log VALUES (?, ?)')
  const entry = connection.prepare('INSERT INTO entry VALUES (?, ?, 0, ?, ?, ?)')
  return (rows) => {
    connection.exec('BEGIN')
    for (const { key, revision, tag, value, history } of rows) {
      log.run(revision, value)
      entry.run(revision, key, value.length, tag, entryFlags.created | (history ? 0 : entryFlags.plain))
    }
    connection.exec('COMMIT')
  }
}

function setRevision(connection: SqliteConnection, revision: Revision): void {
  const set = connection.prepare('INSERT INTO meta VALUES (?, ?)')
  for (const name of ['now', 'compacted', 'swept']) set.run(name, revision)
  set.run('incarnation', newIncarnation())
}

function removeDatabase(file: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
