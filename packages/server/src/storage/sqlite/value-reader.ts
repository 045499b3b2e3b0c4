import type { Revision } from '../contract.ts'
import { StorageError } from '../storage-error.ts'
import type { SqliteConnection, SqliteStatement } from './drivers/driver.ts'

/**
 * Reads values by revision. Several are joined inside SQLite by statements with a fixed number of parameters, which
 * measured fastest of the ways to pass a list.
 */
export class ValueReader {
  readonly #connection: SqliteConnection
  readonly #one: SqliteStatement
  readonly #joined = new Map<number, SqliteStatement>()
  readonly #several = new Map<number, SqliteStatement>()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#one = connection.query('SELECT value FROM log WHERE revision = ?')
  }

  /** Returns the value of a revision, or undefined. */
  find(revision: Revision): Uint8Array | undefined {
    return this.#one.get(revision)?.[0] as Uint8Array | undefined
  }

  /** Returns the value of a revision that must exist. */
  get(revision: Revision): Uint8Array {
    const value = this.find(revision)
    if (value === undefined) throw missing(revision)
    return value
  }

  /** Returns the values of revisions in their order. */
  all(revisions: readonly Revision[]): Uint8Array[] {
    if (revisions.length <= few) return revisions.map((revision) => this.get(revision))
    const values: Uint8Array[] = []
    for (const part of inParts(revisions)) {
      const rows = this.#statement(this.#several, part.length, severalSql).all(...part)
      for (const row of rows) values.push(row[0] as Uint8Array)
    }
    if (values.length !== revisions.length) throw missing(revisions[0]!)
    return values
  }

  /** Returns the values of revisions in their order, joined by commas. */
  joined(revisions: readonly Revision[]): Uint8Array[] {
    let count = 0
    const runs = inParts(revisions).map((part) => {
      const [found, run] = this.#statement(this.#joined, part.length, joinedSql).get(...part)!
      count += Number(found)
      return (run ?? new Uint8Array()) as Uint8Array
    })
    if (count !== revisions.length) throw missing(revisions[0]!)
    return runs
  }

  #statement(statements: Map<number, SqliteStatement>, size: number, sql: (size: number) => string): SqliteStatement {
    const known = statements.get(size)
    if (known !== undefined) return known
    const made = this.#connection.query(sql(size))
    statements.set(size, made)
    return made
  }
}

const few = 4
// Each size is a prepared statement; shorter lists are padded with 0, which is never a revision.
const sizes = [16, 100, 200, 500] as const
const largest = 500

function inParts(revisions: readonly Revision[]): Revision[][] {
  const parts: Revision[][] = []
  for (let start = 0; start < revisions.length; start += largest) {
    const part = revisions.slice(start, start + largest)
    const size = sizes.find((candidate) => candidate >= part.length)!
    while (part.length < size) part.push(0)
    parts.push(part)
  }
  return parts
}

function wantedSql(size: number): string {
  return `WITH wanted(revision) AS (VALUES ${Array(size).fill('(?)').join(',')})`
}

function severalSql(size: number): string {
  return `${wantedSql(size)} SELECT value FROM wanted CROSS JOIN log ON log.revision = wanted.revision`
}

function joinedSql(size: number): string {
  return `${wantedSql(size)} SELECT count(*), cast(group_concat(value, ',') AS BLOB)
    FROM wanted CROSS JOIN log ON log.revision = wanted.revision`
}

function missing(revision: Revision): StorageError {
  return new StorageError(
    'corrupt',
    `cannot read revision ${revision}: it is in the index but not in the file; check the file's integrity`,
  )
}
