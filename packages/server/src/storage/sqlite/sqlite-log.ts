import type { Change, ChangeBatch, Revision } from '../contract.ts'
import type { Key } from '../key.ts'
import type { SqliteConnection, SqliteRow, SqliteStatement } from './drivers/driver.ts'
import { entryFlags } from './schema.ts'

/** Reads the log of changes for followers that are behind. */
export class SqliteLog {
  readonly #rows: SqliteStatement
  readonly #valuesOf: (keys: readonly Key[], revisions: readonly Revision[]) => Uint8Array[]

  constructor(
    connection: SqliteConnection,
    valuesOf: (keys: readonly Key[], revisions: readonly Revision[]) => Uint8Array[],
  ) {
    this.#rows = connection.query(
      `SELECT revision, key, previous, size, tag, flags FROM entry WHERE revision > ? AND revision <= ? AND flags & ${entryFlags.plain} = 0
       ORDER BY revision LIMIT ${rowsAtOnce}`,
    )
    this.#valuesOf = valuesOf
  }

  /** Reads whole groups after a revision, about a megabyte. `now` is the last visible revision. */
  read(after: Revision, now: Revision): ChangeBatch {
    const { rows, revision } = this.#select(after, now)
    const values = this.#valuesOf(
      rows.map((row) => row[1] as Key),
      rows.map((row) => Number(row[0])),
    )
    return { changes: rows.map((row, at) => changeOf(row, values[at]!)), revision }
  }

  // Selects rows up to the end of the group that reaches the size limit.
  #select(after: Revision, now: Revision): { readonly rows: readonly SqliteRow[]; readonly revision: Revision } {
    const rows: SqliteRow[] = []
    let bytes = 0
    for (let from = after; ; ) {
      const page = this.#rows.all(from, now)
      for (const row of page) {
        rows.push(row)
        bytes += Number(row[3]) + rowBytes
        const ends = (Number(row[5]) & entryFlags.continued) === 0
        if (ends && bytes >= enoughBytes) return { rows, revision: Number(row[0]) }
      }
      if (page.length < rowsAtOnce) return { rows, revision: now }
      from = Number(page.at(-1)![0])
    }
  }
}

const rowsAtOnce = 500
const enoughBytes = 1024 * 1024
const rowBytes = 200

function changeOf([revision, key, previous, , tag, flags]: SqliteRow, value: Uint8Array): Change {
  const bits = Number(flags)
  return {
    kind: (bits & entryFlags.deleted) === 0 ? 'put' : 'delete',
    revision: Number(revision),
    key: key as Key,
    value,
    tag: Number(tag),
    previous: (bits & entryFlags.created) === 0 ? Number(previous) : undefined,
  }
}
