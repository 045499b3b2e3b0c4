import { type BigIntStats, closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { walDifference } from './wal-state.ts'

/**
 * The files that a store opened, to be compared with what lies under their names later. A file moved over the database, a
 * deleted one or a copy written into it must not go unnoticed: SQLite would go on with the files it has open, and commits
 * would vanish with them, or pages of two databases would be mixed.
 */
export class FileIdentity {
  readonly #file: string
  readonly #wal: string
  readonly #database: string | undefined
  readonly #index: number
  #size = 0n
  #log: string | undefined

  /** The file is open, and was read: the files beside it exist. */
  constructor(file: string) {
    this.#file = file
    this.#wal = `${realpathSync(file)}-wal`
    this.#index = openSync(`${realpathSync(file)}-shm`, 'r')
    this.#database = inodeOf(statOf(file))
  }

  /** How the files differ from those that were opened; undefined when they are the same. */
  difference(): string | undefined {
    const database = statOf(this.#file)
    if (database === undefined) return `${this.#file} was removed`
    if (inodeOf(database) !== this.#database) return `${this.#file} is another file`
    // The store never shortens it.
    if (database.size < this.#size) return `${this.#file} was cut short`
    this.#size = database.size
    const log = inodeOf(statOf(this.#wal))
    // SQLite makes the write-ahead log with the first read or write, and keeps it until the last connection closes.
    this.#log ??= log
    if (log !== this.#log) return `${this.#wal} was ${log === undefined ? 'removed' : 'replaced'}`
    return walDifference(this.#wal, this.#index)
  }

  /** To be called after SQLite has closed the files: this drops its locks. */
  close(): void {
    closeSync(this.#index)
  }
}

/**
 * The size and the time of the last write of a database file. Only checkpoints write to it, so between them both stay.
 * Undefined for a file that is not there.
 */
export function writtenState(file: string): string | undefined {
  const stats = statOf(file)
  return stats && `${stats.size} ${stats.mtimeNs}`
}

function statOf(file: string): BigIntStats | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })
}

function inodeOf(stats: BigIntStats | undefined): string | undefined {
  return stats && `${stats.dev} ${stats.ino}`
}
