import { closeSync, openSync, rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Revision, Snapshot, StoredRow } from '../contract.ts'
import type { Key } from '../key.ts'
import type { SqliteConnection, SqliteDriver } from './drivers/driver.ts'
import { storageErrorOf } from './fault.ts'
import { entryFlags } from './schema.ts'
import { runTask } from './task.ts'

/**
 * Creates a snapshot of a database file. A thread copies the file, because a long read would keep the write-ahead log
 * from restarting. The copy is beside the database until the snapshot was read. `done` is called once after that, or
 * after a failure.
 */
export async function openSnapshot(driver: SqliteDriver, file: string, done: () => void): Promise<Snapshot> {
  const copy = snapshotFile(file)
  const end = () => {
    removeSnapshot(file)
    done()
  }
  try {
    removeSnapshot(file)
    closeSync(openSync(copy, 'wx', 0o600))
    const [revision] = await runTask({ kind: 'copy', driver: driver.name, file, to: copy })
    return { revision: Number(revision), rows: rowsOf(driver, copy, end) }
  } catch (error) {
    end()
    throw storageErrorOf(driver, `back up ${file}`, error)
  }
}

/** Removes the copy of a process that crashed during a snapshot. */
export function removeSnapshot(file: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${snapshotFile(file)}${ending}`, { force: true })
}

function snapshotFile(file: string): string {
  return `${file}.snapshot`
}

async function* rowsOf(
  driver: SqliteDriver,
  file: string,
  end: () => void,
): AsyncGenerator<readonly StoredRow[], void, undefined> {
  const connection = driver.open(file)
  try {
    const read = reader(connection)
    for (let after = 0; ; ) {
      const rows = read(after)
      if (rows.length === 0) return
      yield rows
      after = rows.at(-1)!.revision
      // Lets other work of this thread run between batches.
      await nextTurn()
    }
  } finally {
    connection.close()
    end()
  }
}

function reader(connection: SqliteConnection): (after: Revision) => readonly StoredRow[] {
  const entries = connection.query(
    'SELECT revision, key, tag, flags, size FROM entry WHERE revision > ? ORDER BY revision LIMIT 500',
  )
  const value = connection.query('SELECT value FROM log WHERE revision = ?')
  return (after) => {
    const rows: StoredRow[] = []
    let bytes = 0
    for (const [revision, key, tag, flags, size] of entries.all(after)) {
      if (bytes > maxBytes) break
      bytes += Number(size)
      rows.push({
        ...{ key: key as Key, revision: Number(revision), tag: Number(tag) },
        value: value.get(revision!)![0] as Uint8Array,
        history: (Number(flags) & entryFlags.plain) === 0,
      })
    }
    return rows
  }
}

const maxBytes = 1024 * 1024
