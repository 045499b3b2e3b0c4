import { Mutex } from '@hykube/machinery/base'
import { ChangesHub } from '../changes-hub.ts'
import {
  type ChangeBatch,
  type ChangesOptions,
  type CommitOutcome,
  defaultPageLimit,
  type Entry,
  type Group,
  type JoinedPage,
  type JoinOptions,
  type Page,
  type Range,
  type ReadOptions,
  type Revision,
  type RotateOptions,
  type ScanOptions,
  type Snapshot,
  type Space,
  type Statistics,
  type Store,
} from '../contract.ts'
import { checkGroup } from '../group-check.ts'
import { joinValues } from '../join-values.ts'
import type { Key } from '../key.ts'
import { compileRange } from '../key-range.ts'
import { checkSealer } from '../open-options.ts'
import { checkPageLimit } from '../revision-check.ts'
import { SpaceTable } from '../space-table.ts'
import { StorageError } from '../storage-error.ts'
import { ChangeTail } from './change-tail.ts'
import { Committer } from './committer.ts'
import { compactLog } from './compaction.ts'
import { storageFailure } from './failure.ts'
import { LogReader } from './log-reader.ts'
import { canNotify, notificationChannel } from './notification.ts'
import { type CompletePostgresOptions, completePostgresOptions, type PostgresStoreOptions } from './postgres-options.ts'
import { ReaderPool } from './reader-pool.ts'
import { type CounterRow, Reading } from './reading.ts'
import { rotateSealed } from './rotation.ts'
import { prepareSchema } from './schema.ts'
import { Session } from './session.ts'
import { openSnapshot } from './snapshot.ts'
import { createStatements, type Statements } from './statements.ts'
import { StoreIdentity } from './store-identity.ts'

/** Opens a store in a PostgreSQL database, creating missing tables. Any number of servers may share it. */
export async function openPostgresStore(given: PostgresStoreOptions): Promise<Store> {
  const options = completePostgresOptions(given)
  checkSealer(options)
  const table = new SpaceTable(options.spaces)
  const channel = await prepare(options)
  return PostgresStore.open(options, table, channel)
}

async function prepare(options: CompletePostgresOptions): Promise<string | undefined> {
  try {
    const session = await Session.connect(options, 'opener')
    try {
      await prepareSchema(session, options.schema, options.report)
      return (await canNotify(session)) ? notificationChannel(options.schema) : undefined
    } finally {
      await session.end()
    }
  } catch (error) {
    throw storageFailure(error, `open the store in schema ${options.schema}`)
  }
}

class PostgresStore implements Store {
  readonly #options: CompletePostgresOptions
  readonly #table: SpaceTable
  readonly #statements: Statements
  readonly #pool: ReaderPool
  readonly #reading: Reading
  readonly #committer: Committer
  readonly #hub: ChangesHub
  readonly #tail: ChangeTail
  readonly #identity: StoreIdentity
  readonly #longWork = new Mutex()
  #compacted: Revision
  #closed = false

  static async open(options: CompletePostgresOptions, table: SpaceTable, channel: string | undefined): Promise<Store> {
    const statements = createStatements(options.schema)
    const pool = new ReaderPool(options)
    const [counter] = await pool.query<CounterRow>(statements.counter, [0])
    return new PostgresStore(options, table, statements, pool, counter!, channel)
  }

  private constructor(
    options: CompletePostgresOptions,
    table: SpaceTable,
    statements: Statements,
    pool: ReaderPool,
    counter: CounterRow,
    channel: string | undefined,
  ) {
    this.#options = options
    this.#table = table
    this.#statements = statements
    this.#pool = pool
    this.#compacted = counter.compacted
    this.#identity = new StoreIdentity(counter, (failure) => this.#replaced(failure))
    this.#reading = new Reading(pool, statements, options.sealer, this.#identity, (compacted) =>
      this.#noteCompacted(compacted),
    )
    const log = new LogReader(pool, statements, table, this.#reading, this.#identity, ({ compacted }) =>
      this.#noteCompacted(compacted),
    )
    const now = async () => (await this.#reading.counter()).now
    this.#hub = new ChangesHub(
      { now, compacted: () => this.#compacted, read: (after) => log.read(after) },
      counter.now,
      options,
    )
    this.#tail = new ChangeTail(options, this.#hub, log, this.#identity, now)
    this.#committer = new Committer(options, statements, table, channel, this.#identity, (from, batch) =>
      this.#tail.published(from, batch),
    )
    this.#tail.start(channel)
  }

  get spaces(): ReadonlyMap<string, Space> {
    return this.#table.byName
  }

  async commit(group: Group): Promise<CommitOutcome> {
    this.#checkOpen()
    checkGroup(this.#table, group)
    return this.#committer.commit(group)
  }

  async get(key: Key, { revision }: ReadOptions = {}): Promise<Entry | undefined> {
    this.#checkOpen()
    const space = this.#table.of(key)
    if (revision === undefined) return this.#reading.get(space, key)
    this.#checkHistory(space, revision)
    return this.#reading.getAt(space, key, revision)
  }

  async scan(range: Range, { limit = defaultPageLimit, after, revision }: ScanOptions = {}): Promise<Page> {
    this.#checkOpen()
    checkPageLimit(limit)
    const space = this.#table.named(range.space)
    if (revision !== undefined) this.#checkHistory(space, revision)
    return this.#reading.scan(space, { range: compileRange(this.#table, range), limit, after, revision })
  }

  async scanJoined(range: Range, options: JoinOptions = {}): Promise<JoinedPage | undefined> {
    if (this.#table.named(range.space).encrypted === true) return undefined
    const { entries, ...page } = await this.scan(range, options)
    if (entries.some(({ tag }) => tag !== (options.joinTag ?? 0))) return undefined
    return { bytes: joinValues(entries.map(({ value }) => value)), count: entries.length, ...page }
  }

  async count(range: Range): Promise<number> {
    this.#checkOpen()
    return this.#reading.count(this.#table.named(range.space), compileRange(this.#table, range))
  }

  async now(): Promise<Revision> {
    this.#checkOpen()
    return (await this.#reading.counter()).now
  }

  changes(after: Revision, options: ChangesOptions = {}): AsyncIterable<ChangeBatch> {
    this.#checkOpen()
    if (options.space !== undefined && !this.#table.named(options.space).history) {
      throw new StorageError('invalid', `cannot follow changes in space ${options.space}: it keeps no history`)
    }
    return this.#hub.follow(after, options)
  }

  async compact(revision: Revision): Promise<Revision> {
    const compacted = await this.#runLong('compact', (session) => compactLog(session, this.#statements, revision))
    this.#noteCompacted(compacted)
    return compacted
  }

  async statistics(): Promise<Statistics> {
    this.#checkOpen()
    const [{ now, compacted }, [keys], sizes] = await Promise.all([
      this.#reading.counter(),
      this.#pool.query<{ count: number }>(this.#statements.countKeys),
      // Databases compatible with PostgreSQL may lack these functions.
      this.#pool.query<Record<string, number>>(this.#statements.tableBytes).catch(() => [{}]),
    ])
    const details = sizes[0]!
    const bytes = Object.values(details).reduce((sum, size) => sum + size, 0)
    return { now, compacted, keys: keys!.count, bytes, followers: this.#hub.followers, details }
  }

  async snapshot(): Promise<Snapshot> {
    this.#checkOpen()
    try {
      return await openSnapshot(this.#options)
    } catch (error) {
      throw storageFailure(error, 'back up')
    }
  }

  rotate(options: RotateOptions = {}): Promise<number> {
    return this.#runLong('rotate', async (session) => {
      const { now } = await this.#reading.counter()
      if (this.#options.sealer === undefined) return 0
      return rotateSealed(session, this.#statements, this.#table, this.#options.sealer, now, options)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#hub.close()
    await Promise.all([this.#committer.close(), this.#tail.close(), this.#longWork.run(() => {})])
    await this.#pool.close()
  }

  // Long work runs on its own connection, one at a time, so that nothing waits behind it.
  #runLong<T>(attempted: string, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#longWork.run(async () => {
      this.#checkOpen()
      try {
        const session = await Session.connect(this.#options, 'chores')
        try {
          return await work(session)
        } finally {
          await session.end()
        }
      } catch (error) {
        throw storageFailure(error, attempted)
      }
    })
  }

  #noteCompacted(compacted: Revision): void {
    this.#compacted = Math.max(this.#compacted, compacted)
  }

  #checkHistory(space: Space, revision: Revision): void {
    if (!Number.isSafeInteger(revision) || revision < 0) {
      throw new StorageError('invalid', `cannot use ${revision} as a revision`)
    }
    if (!space.history) {
      throw new StorageError('invalid', `cannot read space ${space.name} at a revision: it keeps no history`)
    }
  }

  #replaced(failure: StorageError): void {
    this.#hub.close(failure)
    this.#options.replaced?.(failure)
  }

  #checkOpen(): void {
    this.#identity.assertSame()
    if (this.#closed) throw new StorageError('closed', 'cannot use the store: it was closed')
  }
}
