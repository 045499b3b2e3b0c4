import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@hykube/machinery/base'
import type { OpenOptions } from '../open-options.ts'
import { StorageError } from '../storage-error.ts'

/** Options of a PostgreSQL store. */
export interface PostgresStoreOptions extends OpenOptions, PostgresPlace {
  /**
   * Number of connections for reads. There are at most five more: for writes, for notifications, for long work, and two
   * for snapshots. Default 4.
   */
  readonly readers?: number
  /** Milliseconds that a call waits for an unreachable database before it fails. Default 10,000. */
  readonly outageTimeout?: number
  /** Milliseconds that one statement may take before its connection is closed. Default 30,000. */
  readonly statementTimeout?: number
  /**
   * Milliseconds between polls for changes of other servers. Default 1,000; without notifications 50 while there are
   * followers.
   */
  readonly poll?: number
}

/** Location of a store. */
export interface PostgresPlace {
  /** `postgres://user:password@host:port/database?…`, as in libpq. */
  readonly url: string
  /** Schema of the tables. Default `hykube`. */
  readonly schema?: string
}

/** Options with defaults. */
export interface CompletePostgresOptions extends OpenOptions {
  readonly url: string
  readonly schema: string
  readonly readers: number
  readonly outageTimeout: number
  readonly statementTimeout: number
  readonly poll: number
  readonly clock: Clock
  readonly report: (message: string) => void
  /**
   * Identifies this instance in the database: distinguishes its commits and connections from those of other servers.
   */
  readonly writer: string
}

export function completePostgresOptions(given: PostgresStoreOptions): CompletePostgresOptions {
  const { schema = 'hykube', readers = 4 } = given
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new StorageError('invalid', `cannot use schema ${schema}: use lower-case letters, digits and _`)
  }
  if (!Number.isInteger(readers) || readers < 1 || readers > 64) {
    throw new StorageError('invalid', `cannot open a store with ${readers} readers: use 1 to 64`)
  }
  return {
    outageTimeout: 10_000,
    statementTimeout: 30_000,
    poll: 1_000,
    clock: systemClock,
    report: () => {},
    ...given,
    schema,
    readers,
    writer: randomUUID(),
  }
}
