import pg from 'pg'
import type { Revision } from '../contract.ts'
import { StorageError } from '../storage-error.ts'

/** The identity of a store as its counter row states it. */
export interface IdentityColumns {
  /** Random; a restore gives a new one. */
  readonly incarnation: number
  /** The object id of the counter's table: another one after the schema was dropped and loaded from a dump. */
  readonly place: number
}

/** A batch as a server remembers it. Revision 0: none was written with a token yet. */
export interface SeenBatch {
  readonly batch: Revision
  readonly token: number
}

export interface CounterState extends IdentityColumns, SeenBatch {
  readonly now: Revision
  /** The token that the database has for the batch that was asked for; null when it has no such batch. */
  readonly known: number | null
  /** Whether the newest row of the log is there, and its key. */
  readonly whole: boolean
}

/** What was seen before a statement was sent. */
export interface Seen extends SeenBatch {
  readonly revision: Revision
}

/**
 * Notices that the database is no longer the one this server opened: restored, replaced or set back. Caches of this
 * server (roles, watches, fingerprints) then describe another history than the database does, so nothing may be served
 * any more. From the first difference on every check fails.
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

  /** The highest revision and the last batch seen so far. A statement sent from now on must find both. */
  get seen(): Seen {
    this.assertSame()
    return this.#seen
  }

  /** The identity as text, for notifications. */
  get text(): string {
    return identityText(this.#first)
  }

  /** Fails once a difference was found. */
  assertSame(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** A revision became visible, and with it a batch where that is known. */
  saw(revision: Revision, { batch, token }: SeenBatch = this.#seen): void {
    const newer = batch > this.#seen.batch ? { batch, token } : this.#seen
    this.#seen = { revision: Math.max(revision, this.#seen.revision), batch: newer.batch, token: newer.token }
  }

  /** Checks the counter that a statement read; `seen` is from before the statement was sent. */
  check(row: CounterState | undefined, seen: Seen): void {
    this.assertSame()
    this.checkRevision(row?.now, seen)
    this.checkText(identityText(row!))
    const { known, whole, now } = row!
    if (seen.batch > 0 && known !== seen.token)
      throw this.#differs(`it does not have the commit at revision ${seen.batch}, which this server saw`)
    if (!whole && this.#wasWhole) throw this.#differs('its newest change is gone')
    this.#wasWhole = whole
    this.saw(now, row)
  }

  /** Checks the counter alone. */
  checkRevision(now: Revision | undefined, seen: Seen): void {
    if (now === undefined) throw this.#differs('its counter is gone')
    if (now < seen.revision) throw this.#differs(`its revision went back from ${seen.revision} to ${now}`)
    this.saw(now)
  }

  /** Checks an identity from a notification. Servers of older versions send none. */
  checkText(text: string | undefined): void {
    if (text !== undefined && text !== this.text) throw this.#differs('it has another incarnation')
  }

  /** The failure for an error of a statement that reads the counter: missing tables mean that the store is gone. */
  failureFor(error: unknown): unknown {
    const cause = error instanceof StorageError ? error.cause : error
    const code = cause instanceof pg.DatabaseError ? cause.code : undefined
    return code === undefined || !missingCodes.includes(code) ? error : this.#differs('its tables are gone')
  }

  #differs(why: string): StorageError {
    if (this.#failure === undefined) {
      this.#failure = new StorageError(
        'replaced',
        `the database is not the one that this server opened: ${why}; it was restored or replaced while the server ran; start the server again`,
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
