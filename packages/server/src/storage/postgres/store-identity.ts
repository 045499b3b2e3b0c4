import pg from 'pg'
import type { Revision } from '../contract.ts'
import { StorageError } from '../storage-error.ts'

/** Identity of a store, from its counter row. */
export interface IdentityColumns {
  /** Random; a restore sets a new one. */
  readonly incarnation: number
  /** Object id of the counter's table; differs after the schema was dropped and loaded from a dump. */
  readonly place: number
}

/** A batch that a server has seen. Revision 0: no batch has a token yet. */
export interface SeenBatch {
  readonly batch: Revision
  readonly token: number
}

export interface CounterState extends IdentityColumns, SeenBatch {
  readonly now: Revision
  /** Token of the requested batch in the database; null when it has no such batch. */
  readonly known: number | null
  /** True when the newest row of the log and its key exist. */
  readonly whole: boolean
}

/** State seen before a statement was sent. */
export interface Seen extends SeenBatch {
  readonly revision: Revision
}

/**
 * Detects that the database is no longer the one this server opened: restored, replaced or rolled back. Caches of this
 * server (roles, watches, fingerprints) then describe another history than the database, so nothing may be served. From
 * the first difference on every check fails.
 */
export class StoreIdentity {
  readonly #first: IdentityColumns
  readonly #replaced: (failure: StorageError) => void
  #seen: Seen
  #wasWhole: boolean
  #failure: StorageError | undefined

  /** `replaced` is called once, at the first difference. */
  constructor(first: CounterState, replaced: (failure: StorageError) => void) {
    this.#first = first
    this.#seen = { revision: first.now, batch: first.batch, token: first.token }
    this.#wasWhole = first.whole
    this.#replaced = replaced
  }

  /** Highest revision and last batch seen so far. Every later statement must find both. */
  get seen(): Seen {
    this.assertSame()
    return this.#seen
  }

  /** The identity as text for notifications. */
  get text(): string {
    return identityText(this.#first)
  }

  /** Throws after a difference was found. */
  assertSame(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Records a visible revision, and its batch when known. */
  noteSeen(revision: Revision, { batch, token }: SeenBatch = this.#seen): void {
    const newer = batch > this.#seen.batch ? { batch, token } : this.#seen
    this.#seen = { revision: Math.max(revision, this.#seen.revision), batch: newer.batch, token: newer.token }
  }

  /** Checks the counter that a statement read; `seen` is the state before the statement was sent. */
  check(row: CounterState | undefined, seen: Seen): void {
    this.assertSame()
    this.checkRevision(row?.now, seen)
    this.checkText(identityText(row!))
    const { known, whole, now } = row!
    if (seen.batch > 0 && known !== seen.token)
      throw this.#differs(`it does not have the commit at revision ${seen.batch}, which this server saw`)
    if (!whole && this.#wasWhole) throw this.#differs('its newest change is missing')
    this.#wasWhole = whole
    this.noteSeen(now, row)
  }

  /** Checks only the revision. */
  checkRevision(now: Revision | undefined, seen: Seen): void {
    if (now === undefined) throw this.#differs('its counter is missing')
    if (now < seen.revision) throw this.#differs(`its revision went back from ${seen.revision} to ${now}`)
    this.noteSeen(now)
  }

  /** Checks the identity in a notification. Older servers send none. */
  checkText(text: string | undefined): void {
    if (text !== undefined && text !== this.text) throw this.#differs('it has another incarnation')
  }

  /** Converts the error of a statement that reads the counter: missing tables mean that the store was removed. */
  failureFor(error: unknown): unknown {
    const cause = error instanceof StorageError ? error.cause : error
    const code = cause instanceof pg.DatabaseError ? cause.code : undefined
    return code === undefined || !missingCodes.includes(code) ? error : this.#differs('its tables are missing')
  }

  #differs(why: string): StorageError {
    if (this.#failure === undefined) {
      this.#failure = new StorageError(
        'replaced',
        `the database is not the one that this server opened: ${why}; it was restored or replaced while the server ran; restart the server`,
      )
      this.#replaced(this.#failure)
    }
    return this.#failure
  }
}

function identityText({ incarnation, place }: IdentityColumns): string {
  return `${incarnation}.${place}`
}

/** PostgreSQL's codes for a missing table, schema or column. */
export const missingCodes = ['42P01', '3F000', '42703']
