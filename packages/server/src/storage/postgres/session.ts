import pg from 'pg'
import { StorageError } from '../storage-error.ts'
import type { CompletePostgresOptions } from './postgres-options.ts'
import { resultTypes } from './wire.ts'

/** A statement that each connection prepares once. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Runs statements one after another in the order of the calls, without waiting for answers in between. */
export interface Queryable {
  query<R>(statement: Statement | string, values?: readonly unknown[]): Promise<R[]>
}

/**
 * One connection, set up for what the store promises: a server that can be written, commits that wait for the disk, plans
 * that walk indexes, and a transaction that its client left open is ended by the server.
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
      connectionTimeoutMillis: Math.max(1, Math.min(options.patience, 5_000)),
      query_timeout: options.statementTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      pipeline: true,
      types: resultTypes,
    })
    const session = new Session(client)
    // A lost connection is told to whoever waits for an answer; without a listener it would end the process.
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

  /** False once the connection is gone. */
  get isAlive(): boolean {
    return !this.#lost
  }

  /** How many statements wait for their answers. */
  get pending(): number {
    return this.#pending
  }

  async query<R>(statement: Statement | string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.command<R>(statement, values)).rows
  }

  /** Like {@link query}, with what the server says it did. */
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

  /** Calls back for each notification on a channel. */
  async listen(channel: string, heard: (payload: string) => void): Promise<void> {
    this.#client.on('notification', (message) => heard(message.payload ?? ''))
    await this.query(`LISTEN ${channel}`)
  }

  /** Calls back once when the connection is gone. */
  onLost(callback: () => void): void {
    this.#client.once('end', callback)
  }

  /** Lets go of the connection at once; what waits for an answer fails. */
  close(): void {
    this.#lost = true
    this.#client.end().catch(() => {})
    // end() is polite and waits for the server, which may be the one that does not answer.
    const { stream } = (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }

  /** Says goodbye and waits until the server has heard it, but not long: it may be the one that does not answer. */
  async end(): Promise<void> {
    this.#lost = true
    const timer = setTimeout(() => this.close(), goodbyeMilliseconds)
    await this.#client.end().catch(() => {})
    clearTimeout(timer)
  }

  #lose(): void {
    this.#lost = true
  }

  async #setUp(): Promise<void> {
    const [[state]] = await Promise.all([this.query<ServerState>(serverState), this.query(`SET ${searchPath}`)])
    if (state!.standby || state!.read_only === 'on') {
      throw new StorageError('unavailable', 'this PostgreSQL server is a standby or read-only, and can take no writes')
    }
    if (state!.fsync === 'off') {
      throw new StorageError('invalid', 'this PostgreSQL server runs with fsync=off, and would lose commits in a crash')
    }
    const weak = state!.synchronous_commit === 'off' || state!.synchronous_commit === 'local'
    const settings = weak ? [...sessionSettings, 'synchronous_commit = on'] : sessionSettings
    // Relatives of PostgreSQL lack some of these; each is then done without.
    await Promise.allSettled(settings.map((setting) => this.query(`SET ${setting}`)))
    if (this.#lost) throw new StorageError('unavailable', 'the connection broke while it was being set up')
  }
}

/** What a connection calls itself in the database. */
export function applicationName({ writer }: CompletePostgresOptions, purpose: string): string {
  return `hykube ${purpose} ${writer}`
}

interface ServerState {
  readonly standby: boolean
  readonly read_only: string
  readonly synchronous_commit: string | null
  readonly fsync: string | null
}

const goodbyeMilliseconds = 1_000

const serverState = `SELECT pg_catalog.pg_is_in_recovery() AS standby, pg_catalog.current_setting('transaction_read_only') AS read_only,
  pg_catalog.current_setting('synchronous_commit', true) AS synchronous_commit,
  pg_catalog.current_setting('fsync', true) AS fsync`

// Names without a schema mean PostgreSQL's own objects, never those that another role put into `public` or into a schema that
// the role's or the database's settings name. Unlike the other settings it is required.
const searchPath = 'search_path = pg_catalog, pg_temp'

const sessionSettings = [
  // A server that was stopped while it held the counter must not hold up the others.
  'idle_in_transaction_session_timeout = 5000',
  'tcp_keepalives_idle = 5',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
  // Every statement follows an index; estimates for tables that were never analysed must not talk it out of that.
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'enable_seqscan = off',
  'enable_bitmapscan = off',
  'plan_cache_mode = force_generic_plan',
  'jit = off',
]
