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

export interface CounterState extends IdentityColumns {
  readonly now: Revision
}

/**
 * Notices that the database is no longer the one this server opened: restored, replaced or set back. Caches of this
 * server (roles, watches, fingerprints) then describe another history than the database does, so nothing may be served
 * any more. From the first difference on every check fails.
 */
export class StoreIdentity {
  readonly #first: IdentityColumns
  readonly #replaced: (failure: StorageError) => void
  #seen: Revision
  #failure: StorageError | undefined

  /** `replaced` is called once, at the first difference. */
  constructor(first: CounterState, replaced: (failure: StorageError) => void) {
    this.#first = first
    this.#seen = first.now
    this.#replaced = replaced
  }

  /** The highest revision seen so far. A statement sent from now on must not answer with a lower counter. */
  get seen(): Revision {
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

  /** A revision became visible. */
  saw(revision: Revision): void {
    if (revision > this.#seen) this.#seen = revision
  }

  /** Checks the counter that a statement read; `seen` is from before the statement was sent. */
  check(row: CounterState | undefined, seen: Revision): void {
    this.assertSame()
    this.checkRevision(row?.now, seen)
    this.checkText(identityText(row!))
  }

  /** Checks the counter alone. */
  checkRevision(now: Revision | undefined, seen: Revision): void {
    if (now === undefined) throw this.#differs('its counter is gone')
    if (now < seen) throw this.#differs(`its revision went back from ${seen} to ${now}`)
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
