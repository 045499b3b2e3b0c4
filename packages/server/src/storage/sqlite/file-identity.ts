import { type BigIntStats, closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { walDifference } from './wal-state.ts'

/**
 * Identifies the files that a store opened, to detect when others have their names. SQLite would continue with its open
 * files after a file was moved over the database, deleted or overwritten; commits would then be lost, or pages of two
 * databases mixed.
 */
export class FileIdentity {
  readonly #file: string
  readonly #wal: string
  readonly #database: string | undefined
  readonly #index: number
  #size = 0n
  #log: string | undefined

  /** Call it after the first read, when all files exist. */
  constructor(file: string) {
    this.#file = file
    this.#wal = `${realpathSync(file)}-wal`
    this.#index = openSync(`${realpathSync(file)}-shm`, 'r')
    this.#database = inodeOf(statOf(file))
  }

  /** Returns how the files differ from the opened ones, or undefined. */
  difference(): string | undefined {
    const database = statOf(this.#file)
    if (database === undefined) return `${this.#file} was removed`
    if (inodeOf(database) !== this.#database) return `${this.#file} is another file`
    // The store never truncates the file.
    if (database.size < this.#size) return `${this.#file} was truncated`
    this.#size = database.size
    const log = inodeOf(statOf(this.#wal))
    // SQLite creates the write-ahead log with the first read or write, and keeps it until the last connection closes.
    this.#log ??= log
    if (log !== this.#log) return `${this.#wal} was ${log === undefined ? 'removed' : 'replaced'}`
    return walDifference(this.#wal, this.#index)
  }

  /** Call it after SQLite has closed the files: closing a descriptor drops the process's POSIX locks on its file. */
  close(): void {
    closeSync(this.#index)
  }
}

/**
 * Size and modification time of a database file, or undefined when it does not exist. Only checkpoints write to the
 * file, so both are constant between them.
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
