import pg from 'pg'
import { StorageError } from '../storage-error.ts'
import type { CompletePostgresOptions } from './postgres-options.ts'
import { resultTypes } from './wire.ts'

/** A statement that each connection prepares once. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Runs statements in the order of the calls, pipelined. */
export interface Queryable {
  query<R>(statement: Statement | string, values?: readonly unknown[]): Promise<R[]>
}

/**
 * One connection with the settings that the contract needs: a writable server, commits that wait for the disk, plans
 * that use indexes, and a timeout for transactions that a client left open.
 */
export class Session implements Queryable {
  readonly #client: pg.Client
  #lost = false
  #pending = 0

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async connect(options: CompletePostgresOptions, purpose: string): Promise<Session> {
    const client = new pg.Client({
      connectionString: options.url,
      application_name: applicationName(options, purpose),
      connectionTimeoutMillis: Math.max(1, Math.min(options.outageTimeout, 5_000)),
      query_timeout: options.statementTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      pipeline: true,
      types: resultTypes,
    })
    const session = new Session(client)
    // A lost connection rejects the pending queries; without a listener the error would end the process.
    client.on('error', () => session.#lose())
    client.on('end', () => session.#lose())
    try {
      await client.connect()
      await session.#setUp()
      return session
    } catch (error) {
      session.close()
      throw error
    }
  }

  /** False after the connection was lost. */
  get isAlive(): boolean {
    return !this.#lost
  }

  /** Number of statements without a result. */
  get pending(): number {
    return this.#pending
  }

  async query<R>(statement: Statement | string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.command<R>(statement, values)).rows
  }

  /** Like {@link query}, with the row count of the command. */
  async command<R>(
    statement: Statement | string,
    values: readonly unknown[] = [],
  ): Promise<{ readonly rows: R[]; readonly command: string; readonly count: number }> {
    const config = typeof statement === 'string' ? { text: statement } : statement
    this.#pending++
    try {
      const result = await this.#client.query({ ...config, values: [...values] })
      return { rows: result.rows as R[], command: result.command, count: result.rowCount ?? 0 }
    } finally {
      this.#pending--
    }
  }

  /** Calls `received` for each notification on a channel. */
  async listen(channel: string, received: (payload: string) => void): Promise<void> {
    this.#client.on('notification', (message) => received(message.payload ?? ''))
    await this.query(`LISTEN ${channel}`)
  }

  /** Calls back once when the connection is lost. */
  onLost(callback: () => void): void {
    this.#client.once('end', callback)
  }

  /** Closes the connection at once; pending statements fail. */
  close(): void {
    this.#lost = true
    this.#client.end().catch(() => {})
    // end() would wait for the server, which may not respond.
    const { stream } = (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }

  /** Closes the connection properly, with a short timeout because the server may not respond. */
  async end(): Promise<void> {
    this.#lost = true
    const timer = setTimeout(() => this.close(), closeTimeout)
    await this.#client.end().catch(() => {})
    clearTimeout(timer)
  }

  #lose(): void {
    this.#lost = true
  }

  async #setUp(): Promise<void> {
    const [[state]] = await Promise.all([this.query<ServerState>(serverState), this.query(`SET ${searchPath}`)])
    if (state!.standby || state!.read_only === 'on') {
      throw new StorageError('unavailable', 'this PostgreSQL server is a standby or read-only, and cannot be written')
    }
    if (state!.fsync === 'off') {
      throw new StorageError(
        'invalid',
        'this PostgreSQL server runs with fsync=off, and would lose commits in a crash; enable fsync',
      )
    }
    const weak = state!.synchronous_commit === 'off' || state!.synchronous_commit === 'local'
    const settings = weak ? [...sessionSettings, 'synchronous_commit = on'] : sessionSettings
    // Databases compatible with PostgreSQL lack some of these; they are optional.
    await Promise.allSettled(settings.map((setting) => this.query(`SET ${setting}`)))
    if (this.#lost) throw new StorageError('unavailable', 'the connection broke while it was being set up')
  }
}

/** Application name of a connection in the database. */
export function applicationName({ writer }: CompletePostgresOptions, purpose: string): string {
  return `hykube ${purpose} ${writer}`
}

interface ServerState {
  readonly standby: boolean
  readonly read_only: string
  readonly synchronous_commit: string | null
  readonly fsync: string | null
}

const closeTimeout = 1_000

const serverState = `SELECT pg_catalog.pg_is_in_recovery() AS standby, pg_catalog.current_setting('transaction_read_only') AS read_only,
  pg_catalog.current_setting('synchronous_commit', true) AS synchronous_commit,
  pg_catalog.current_setting('fsync', true) AS fsync`

// Unqualified names refer to PostgreSQL's own objects, never to those that another role created in `public` or in a
// schema of the role's or database's settings. Unlike the other settings it is required.
const searchPath = 'search_path = pg_catalog, pg_temp'

const sessionSettings = [
  // A server that was stopped while it held the counter's lock must not block the others for long.
  'idle_in_transaction_session_timeout = 5000',
  'tcp_keepalives_idle = 5',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
  // Every statement can use an index; estimates for tables that were never analysed must not choose another plan.
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'enable_seqscan = off',
  'enable_bitmapscan = off',
  'plan_cache_mode = force_generic_plan',
  'jit = off',
]
