import { messageOf } from '@hykube/machinery/base'
import type { Revision } from '../contract.ts'
import { StorageError } from '../storage-error.ts'
import { type SqliteConnection, type SqliteDriver, sqliteCodes } from './drivers/driver.ts'
import { FileIdentity } from './file-identity.ts'
import { giveIncarnation, incarnationOf, lastRevision, numberOf } from './schema.ts'

export interface ReplacementWatchOptions {
  readonly file: string
  readonly driver: SqliteDriver
  readonly connection: SqliteConnection
  /** Current revision of the store. */
  readonly now: () => Revision
  /** True when another program wrote to the database file. */
  readonly isOverwritten: () => boolean
  /** Called once, at the first difference. */
  readonly replaced: (failure: StorageError) => void
}

/**
 * Detects that the database is no longer the one that was opened: moved over, removed, overwritten or rolled back.
 * Checks at every commit, at every failed read, and once a second.
 */
export class ReplacementWatch {
  readonly #options: ReplacementWatchOptions
  readonly #files: FileIdentity
  readonly #incarnation: number
  readonly #timer: NodeJS.Timeout
  #failure: StorageError | undefined

  constructor(options: ReplacementWatchOptions) {
    this.#options = options
    this.#incarnation = giveIncarnation(options.connection)
    this.#files = new FileIdentity(options.file)
    this.#timer = setInterval(() => this.look(), lookMilliseconds).unref()
  }

  /** Set at the first difference. */
  get failure(): StorageError | undefined {
    return this.#failure
  }

  /** Compares only the files: a few microseconds. */
  lookAtFiles(): void {
    const difference = this.#files.difference()
    if (difference !== undefined) this.#differs(difference)
  }

  /**
   * Compares the files first, then their content: reading a memory-mapped file that was truncated would crash the
   * process.
   */
  look(): void {
    this.lookAtFiles()
    if (this.#failure !== undefined) return
    const difference = this.#contentDifference()
    if (difference !== undefined) this.#differs(difference)
  }

  /** Called when the checkpointing thread found the database file changed. */
  overwritten(): void {
    this.lookAtFiles()
    this.#differs('another program wrote to it')
  }

  #differs(why: string): void {
    if (this.#failure !== undefined) return
    this.close()
    this.#failure = new StorageError(
      'replaced',
      `the database ${this.#options.file} is not the one that this server opened: ${why}; ` +
        'it was restored or replaced while the server ran; restart the server',
    )
    this.#options.replaced(this.#failure)
  }

  /** Stops the periodic check. */
  close(): void {
    clearInterval(this.#timer)
  }

  /** Call it after the connection was closed. */
  closed(): void {
    this.#files.close()
  }

  #contentDifference(): string | undefined {
    const { driver, connection, isOverwritten, now } = this.#options
    if (isOverwritten()) return 'another program wrote to it'
    try {
      if (incarnationOf(connection) !== this.#incarnation) return 'it has another incarnation'
      return numberOf(connection, lastRevision) < now() ? 'its revision went back' : undefined
    } catch (error) {
      const code = driver.codeOf(error)
      // A failing or full disk does not mean that the store was replaced.
      if (code === undefined || !unreadableCodes.includes(code)) return undefined
      return `it cannot be read (${messageOf(error)})`
    }
  }
}

// The first is the code for a missing table.
const unreadableCodes: readonly number[] = [sqliteCodes.error, sqliteCodes.corrupt, sqliteCodes.notADatabase]

const lookMilliseconds = 1_000
