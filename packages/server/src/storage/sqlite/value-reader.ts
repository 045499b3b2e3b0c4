import type { Revision } from '../contract.ts'
import { StorageError } from '../storage-error.ts'
import type { SqliteConnection, SqliteStatement } from './driver.ts'

/**
 * Reads values by revision. Many at once are joined inside SQLite, by statements that take a fixed number of revisions each:
 * of the ways to hand over a list, bound values were the fastest when it was measured.
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

  /** The value of a revision, undefined when it is not there. */
  find(revision: Revision): Uint8Array | undefined {
    return this.#one.get(revision)?.[0] as Uint8Array | undefined
  }

  /** The value of a revision that must be there. */
  get(revision: Revision): Uint8Array {
    const value = this.find(revision)
    if (value === undefined) throw missing(revision)
    return value
  }

  /** The values of revisions, in their order. */
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

  /** The values of revisions, in their order, as one run of bytes with commas between. */
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
// Each size is a prepared statement; shorter lists are filled up with 0, a revision that nothing has.
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
    `cannot read revision ${revision}: the index knows it and the file does not; check the file's integrity`,
  )
}
