import type { Change, ChangeBatch, Revision } from '../contract.ts'
import type { Key } from '../key.ts'
import type { SpaceTable } from '../space-table.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { Counter, CounterRow, Reading } from './reading.ts'
import { rowKind, type Statements } from './statements.ts'
import type { StoreIdentity } from './store-identity.ts'

/** Reads the log for followers: whole groups, about a megabyte at a time. */
export class LogReader {
  readonly #pool: ReaderPool
  readonly #statements: Statements
  readonly #table: SpaceTable
  readonly #reading: Reading
  readonly #identity: StoreIdentity
  readonly #learned: (counter: Counter) => void

  constructor(
    pool: ReaderPool,
    statements: Statements,
    table: SpaceTable,
    reading: Reading,
    identity: StoreIdentity,
    learned: (counter: Counter) => void,
  ) {
    this.#pool = pool
    this.#statements = statements
    this.#table = table
    this.#reading = reading
    this.#identity = identity
    this.#learned = learned
  }

  /** Reads changes after a revision, up to `to`, which is the end of a group. */
  async read(after: Revision, to = Number.MAX_SAFE_INTEGER): Promise<ChangeBatch> {
    const { seen } = this.#identity
    const rows = await this.#pool
      .query<LogRow>(this.#statements.readLog, [seen.batch, maxRows, maxBytes, to, after])
      .catch((error: unknown) => {
        throw this.#identity.failureFor(error)
      })
    this.#identity.check(rows[0], seen)
    const { now, compacted } = rows[0]!
    this.#learned({ now, compacted })
    const found = rows.filter((row) => row.revision !== null)
    const { whole, revision } = await this.#wholeGroups(found, after, Math.min(now, to))
    return { changes: await this.#changesOf(whole), revision }
  }

  // The last group may be incomplete. Unless it is the only one, it is left for the next read.
  async #wholeGroups(rows: LogRow[], after: Revision, end: Revision): Promise<{ whole: LogRow[]; revision: Revision }> {
    const last = rows.at(-1)
    const bytes = rows.reduce((sum, row) => sum + row.value.length, 0)
    if (last === undefined || (rows.length < maxRows && bytes < maxBytes)) return { whole: rows, revision: end }
    const earlier = rows.findLast((row) => row.last !== last.last)
    if (earlier !== undefined) return { whole: rows.filter((row) => row.last !== last.last), revision: earlier.last }
    const group = await this.#pool.query<LogRow>(this.#statements.readGroup, [after, last.last])
    return { whole: group, revision: last.last }
  }

  async #changesOf(rows: readonly LogRow[]): Promise<Change[]> {
    const changes: Change[] = []
    for (const { key, revision, kind, previous, tag, value } of rows) {
      const space = this.#table.find(key)
      // Written by a server with more spaces.
      if (space === undefined || !space.history) continue
      const entry = await this.#reading.open(space, { key, revision, tag, value })
      changes.push({
        kind: kind === rowKind.delete ? 'delete' : 'put',
        revision,
        key,
        value: entry.value,
        tag,
        previous: kind === rowKind.create || previous === null ? undefined : previous,
      })
    }
    return changes
  }
}

interface LogRow extends CounterRow {
  readonly revision: Revision
  readonly last: Revision
  readonly key: Key
  readonly kind: number
  readonly previous: Revision | null
  readonly tag: number
  readonly value: Uint8Array
}

const maxRows = 1_000
const maxBytes = 1024 * 1024
