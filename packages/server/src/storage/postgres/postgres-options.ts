import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@hykube/machinery/base'
import type { OpenOptions } from '../open-options.ts'
import { StorageError } from '../storage-error.ts'

/** How a PostgreSQL store is opened. */
export interface PostgresStoreOptions extends OpenOptions, PostgresPlace {
  /** How many connections read. Besides there are at most five: to write, to listen, for long work, two for snapshots. Default 4. */
  readonly readers?: number
  /** How long, in milliseconds, a call waits for a database that can't be reached before it fails. Default 10,000. */
  readonly patience?: number
  /** How long, in milliseconds, one statement may take before its connection is given up. Default 30,000. */
  readonly statementTimeout?: number
  /**
   * How often, in milliseconds, other servers' changes are looked for without having been notified. Default 1,000; where
   * the database does not notify, 50 while somebody follows.
   */
  readonly poll?: number
}

/** Which database, and where in it. */
export interface PostgresPlace {
  /** `postgres://user:password@host:port/database?…`, as libpq takes it. */
  readonly url: string
  /** The schema that holds the tables. Default `hykube`. */
  readonly schema?: string
}

/** The options with every default filled in. */
export interface CompletePostgresOptions extends OpenOptions {
  readonly url: string
  readonly schema: string
  readonly readers: number
  readonly patience: number
  readonly statementTimeout: number
  readonly poll: number
  readonly clock: Clock
  readonly report: (message: string) => void
  /** A name of this opening: in the database it tells our commits and connections from those of other servers. */
  readonly writer: string
}

export function completePostgresOptions(given: PostgresStoreOptions): CompletePostgresOptions {
  const { schema = 'hykube', readers = 4 } = given
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new StorageError('invalid', `cannot use schema ${schema}: small letters, digits and _ make a schema name`)
  }
  if (!Number.isInteger(readers) || readers < 1 || readers > 64) {
    throw new StorageError('invalid', `cannot open a store with ${readers} readers: between 1 and 64 are possible`)
  }
  return {
    patience: 10_000,
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
