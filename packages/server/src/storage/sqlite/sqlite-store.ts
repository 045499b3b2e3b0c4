import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ChangeLog, ChangesHub } from '../changes-hub.ts'
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
import type { Sealer } from '../encryption/sealer.ts'
import { checkGroup } from '../group-check.ts'
import { joinValues } from '../join-values.ts'
import type { Key } from '../key.ts'
import { compileRange, nextSpan } from '../key-range.ts'
import { checkSealer, type OpenOptions } from '../open-options.ts'
import { checkPageLimit, checkReached, checkReadRevision, expiredAt } from '../revision-check.ts'
import { SpaceTable } from '../space-table.ts'
import { StorageError } from '../storage-error.ts'
import { Checkpointer } from './checkpointer.ts'
import { CommitQueue, type PendingCommit } from './commit-queue.ts'
import { Compaction } from './compaction.ts'
import { type SqliteConnection, type SqliteDriver, type SqliteDriverName, sqliteCodes } from './drivers/driver.ts'
import { loadSqliteDriver } from './drivers/load-driver.ts'
import { storageErrorOf } from './fault.ts'
import { lockFile } from './file-lock.ts'
import { GroupWriter } from './group-writer.ts'
import type { KeyIndex } from './keys/key-index.ts'
import { loadIndex } from './keys/load-index.ts'
import { type FoundPage, PageFinder } from './keys/page-finder.ts'
import { ReplacementWatch } from './replacement-watch.ts'
import {
  configureConnection,
  isMarkedOpen,
  limitCache,
  type MetaName,
  markClosed,
  markOpen,
  numberOf,
  pageBytes,
  prepareDatabase,
} from './schema.ts'
import { openSnapshot, removeSnapshot } from './snapshot.ts'
import { SqliteLog } from './sqlite-log.ts'
import { runTask } from './task.ts'
import { ValueReader } from './value-reader.ts'
import { isWrittenWal } from './wal-state.ts'
import { WalSync } from './wal-sync.ts'

export interface SqliteOpenOptions extends OpenOptions {
  /**
   * Database file; created when missing, in an existing directory. Names of other files beside it begin with its name.
   */
  readonly file: string
  /** Default `node:sqlite`. */
  readonly driver?: SqliteDriverName
  /** Memory for cached pages. Default 32 MiB. */
  readonly cacheBytes?: number
  /**
   * Bytes of the file mapped into memory for reads; 0 for none. Lists are twice as fast with it. Mapped pages count as
   * resident memory, although the system can reclaim them. Default 2 GiB, SQLite's maximum.
   */
  readonly mapBytes?: number
  /** Maximum size of the database file; commits above it fail with `unavailable`. Default: unlimited. */
  readonly maximumBytes?: number
  /** Above this size the write-ahead log is completely checkpointed between commits. Default 64 MiB. */
  readonly softWalBytes?: number
  /** Commits wait while the write-ahead log is larger than this. Default 384 MiB. */
  readonly hardWalBytes?: number
}

/** A store in one SQLite file, for one process. */
export interface SqliteStore extends Store {
  /** Runs SQLite's integrity check on another thread. Returns its messages; none when the file is intact. */
  checkIntegrity(): Promise<readonly string[]>
}

/**
 * Opens a store in an SQLite file, creating it when missing. Throws `unavailable` when another process has it open, and
 * `corrupt` when it is not a database of ours.
 */
export async function openSqliteStore(options: SqliteOpenOptions): Promise<SqliteStore> {
  checkSealer(options)
  const table = new SpaceTable(options.spaces)
  const driver = await loadSqliteDriver(options.driver ?? 'node:sqlite')
  const { file } = options
  try {
    // Readable only by the owner; SQLite gives the files beside it the same mode.
    refuseEmptied(file)
    closeSync(openSync(file, 'a', 0o600))
    const lock = lockFile(driver, file)
    try {
      removeSnapshot(file)
      return openLocked(driver, options, table, lock)
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    throw storageErrorOf(driver, `open ${file}`, error)
  }
}

function openLocked(
  driver: SqliteDriver,
  options: SqliteOpenOptions,
  table: SpaceTable,
  lock: { release(): void },
): SqliteStore {
  const wal = `${realpathSync(options.file)}-wal`
  const hadLog = isWrittenWal(wal)
  const connection = driver.open(options.file)
  try {
    const cacheKilobytes = Math.ceil((options.cacheBytes ?? 32 * 1024 * 1024) / 1024)
    configureConnection(connection, cacheKilobytes)
    const refusal = prepareDatabase(connection)
    // SQLite converts the cache size to pages of the current page size, so it is set after a new file got its larger
    // pages.
    limitCache(connection, cacheKilobytes)
    if (options.maximumBytes !== undefined) limitPages(connection, options.maximumBytes)
    if (refusal !== undefined) throw new StorageError('corrupt', `cannot open ${options.file}: ${refusal}`)
    if (!hadLog && isMarkedOpen(connection)) throw lostLog(options.file, wal)
    markOpen(connection)
    return new FileStore(driver, connection, options, table, lock)
  } catch (error) {
    connection.close()
    throw error
  }
}

// A database file is empty only while its first server creates it.
function refuseEmptied(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0 || !existsSync(`${file}.lock`)) return
  throw new StorageError(
    'corrupt',
    `cannot open ${file}: it is empty, but a server used it before; restore a backup, or remove it to start with an empty store`,
  )
}

function lostLog(file: string, wal: string): StorageError {
  return new StorageError(
    'corrupt',
    `cannot open ${file}: the last server did not close it, and its write-ahead log ${wal} is missing or empty, so commits ` +
      'are lost; restore a backup. If another program moved the log into the database, such as the sqlite3 shell, run: ' +
      `sqlite3 ${file} "DELETE FROM meta WHERE name = 'open'"`,
  )
}

class FileStore implements SqliteStore {
  readonly #driver: SqliteDriver
  readonly #connection: SqliteConnection
  readonly #file: string
  readonly #table: SpaceTable
  readonly #sealer: Sealer | undefined
  readonly #report: (message: string) => void
  readonly #lock: { release(): void }
  readonly #index: KeyIndex
  readonly #writer: GroupWriter
  readonly #queue: CommitQueue
  readonly #values: ValueReader
  readonly #pages: PageFinder
  readonly #compaction: Compaction
  readonly #checkpointer: Checkpointer
  readonly #wal: WalSync
  readonly #hub: ChangesHub
  readonly #begin
  readonly #commit
  readonly #setMeta
  readonly #rewriteValue
  #now: Revision
  #compacted: Revision
  #swept: Revision
  #isSnapshotRunning = false
  /** The current write; resolves when the index has it. */
  #writing: Promise<void> = Promise.resolve()
  #sweeping: Promise<void> = Promise.resolve()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined
  readonly #watch: ReplacementWatch
  /** Reason why nothing can be written any more. */
  #broken: string | undefined

  constructor(
    driver: SqliteDriver,
    connection: SqliteConnection,
    options: SqliteOpenOptions,
    table: SpaceTable,
    lock: { release(): void },
  ) {
    this.#driver = driver
    this.#connection = connection
    this.#file = options.file
    this.#table = table
    this.#sealer = options.sealer
    this.#report = options.report ?? (() => {})
    this.#lock = lock
    const { index, last } = loadIndex(connection)
    // Set after loading the index: reading the whole narrow table should not leave it mapped.
    connection.query(`PRAGMA mmap_size = ${options.mapBytes ?? 2 ** 31}`).get()
    this.#index = index
    this.#now = Math.max(last, this.#meta('now'))
    this.#compacted = this.#meta('compacted')
    this.#swept = this.#meta('swept')
    this.#values = new ValueReader(connection)
    this.#pages = new PageFinder(connection, index)
    this.#compaction = new Compaction(connection, index)
    this.#writer = new GroupWriter(connection, index, table, options.sealer, this.#now)
    this.#begin = connection.prepare('BEGIN IMMEDIATE')
    this.#commit = connection.prepare('COMMIT')
    this.#setMeta = connection.prepare(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    )
    this.#rewriteValue = connection.prepare('UPDATE log SET value = ? WHERE revision = ?')
    const softBytes = options.softWalBytes ?? 64 * 1024 * 1024
    // A commit that restarts the log truncates it to this size.
    connection.query(`PRAGMA journal_size_limit = ${2 * softBytes}`).get()
    this.#checkpointer = new Checkpointer({
      file: options.file,
      driver: driver.name,
      softBytes,
      hardBytes: options.hardWalBytes ?? 384 * 1024 * 1024,
      report: this.#report,
      overwritten: () => this.#watch.overwritten(),
    })
    const checkpointer = this.#checkpointer
    this.#watch = new ReplacementWatch({
      file: options.file,
      driver,
      connection,
      now: () => this.#now,
      isOverwritten: () => checkpointer.isOverwritten,
      replaced: (failure) => {
        this.#broken = failure.message
        this.#hub.close(failure)
        options.replaced?.(failure)
      },
    })
    this.#wal = new WalSync(options.file)
    this.#queue = new CommitQueue({
      get blocks() {
        return checkpointer.blocks
      },
      writable: () => checkpointer.writable(),
      write: (commits) => {
        this.#writing = this.#write(commits)
        return this.#writing
      },
    })
    this.#hub = new ChangesHub(this.#changeLog(), this.#now, options)
    // Resumes a compaction that a crash interrupted.
    if (this.#swept < this.#compacted) void this.#sweep().catch((error: Error) => this.#report(error.message))
  }

  get spaces(): ReadonlyMap<string, Space> {
    return this.#table.byName
  }

  async commit(group: Group): Promise<CommitOutcome> {
    this.#checkOpen()
    checkGroup(this.#table, group)
    return this.#queue.add(group)
  }

  async get(key: Key, { revision }: ReadOptions = {}): Promise<Entry | undefined> {
    this.#checkOpen()
    const space = this.#table.of(key)
    checkReadRevision(space, revision, this.#now)
    if (this.#writer.hides(space)) await this.#shown(space)
    return this.#reading(() => (revision === undefined ? this.#getNow(space, key) : this.#getAt(space, key, revision)))
  }

  async scan(range: Range, options: ScanOptions = {}): Promise<Page> {
    this.#checkOpen()
    const space = this.#table.named(range.space)
    if (this.#writer.hides(space)) await this.#shown(space)
    const { found, revision } = this.#find(space, range, options)
    const { slots } = this.#index
    const keys = found.slots.map((slot) => slots.keyOf(slot))
    const isRead = options.keysOnly !== true
    const values = isRead ? this.#reading(() => this.#valuesOf(keys, found.revisions, space)) : []
    const entries = keys.map((key, at) => ({
      key,
      value: values[at] ?? nothing,
      tag: found.tags[at]!,
      revision: found.revisions[at]!,
    }))
    return { entries, revision, ...(found.last && { last: found.last }) }
  }

  async scanJoined(range: Range, options: JoinOptions = {}): Promise<JoinedPage | undefined> {
    this.#checkOpen()
    const space = this.#table.named(range.space)
    if (this.#writer.hides(space)) await this.#shown(space)
    const { found, revision } = this.#find(space, range, options)
    if (space.encrypted === true || found.tags.some((tag) => tag !== (options.joinTag ?? 0))) return undefined
    const runs = this.#reading(() => this.#values.joined(found.revisions))
    const bytes = runs.length === 1 ? runs[0]! : joinValues(runs)
    return { bytes, count: found.revisions.length, revision, ...(found.last && { last: found.last }) }
  }

  async count(range: Range): Promise<number> {
    this.#checkOpen()
    const compiled = compileRange(this.#table, range)
    const seek = (from: Uint8Array) => this.#index.first(from)
    let count = 0
    for (
      let span = nextSpan(compiled, compiled.whole.lower, seek);
      span !== undefined;
      span = nextSpan(compiled, span.upper, seek)
    ) {
      count += this.#index.count(span)
    }
    return count
  }

  async now(): Promise<Revision> {
    this.#checkOpen()
    return this.#now
  }

  changes(after: Revision, options: ChangesOptions = {}): AsyncIterable<ChangeBatch> {
    this.#checkOpen()
    if (options.space !== undefined && !this.#table.named(options.space).history) {
      throw new StorageError('invalid', `cannot follow changes in space ${options.space}: it keeps no history`)
    }
    return this.#hub.follow(after, options)
  }

  async compact(revision: Revision): Promise<Revision> {
    this.#checkOpen()
    checkReached(revision, this.#now)
    if (revision <= this.#compacted) return this.#compacted
    // The compacted revision is stored before rows are deleted: after a crash in between, more is kept than promised,
    // never less.
    await this.#transaction('compact', 0, () => this.#setMeta.run('compacted', revision))
    this.#compacted = Math.max(this.#compacted, revision)
    await this.#sweep()
    return this.#compacted
  }

  async statistics(): Promise<Statistics> {
    this.#checkOpen()
    const wal = sizeOf(`${this.#file}-wal`)
    return {
      now: this.#now,
      compacted: this.#compacted,
      keys: this.#index.live,
      bytes: sizeOf(this.#file) + wal,
      followers: this.#hub.followers,
      details: {
        walBytes: wal,
        mostWalBytes: this.#checkpointer.mostWalBytes,
        indexBytes: this.#index.bytes,
        ringBytes: this.#hub.bytes,
        uncompacted: this.#now - this.#compacted,
      },
    }
  }

  async snapshot(): Promise<Snapshot> {
    this.#checkOpen()
    if (this.#isSnapshotRunning) throw new StorageError('unavailable', 'cannot back up: another backup is running')
    this.#isSnapshotRunning = true
    const done = () => {
      this.#isSnapshotRunning = false
    }
    return openSnapshot(this.#driver, this.#file, done)
  }

  async checkIntegrity(): Promise<readonly string[]> {
    this.#checkOpen()
    return runTask({ kind: 'integrity', driver: this.#driver.name, file: this.#file })
  }

  async rotate({ signal, progress }: RotateOptions = {}): Promise<number> {
    this.#checkOpen()
    const rows = this.#connection.query(
      'SELECT revision, key FROM entry WHERE revision > ? AND revision <= ? ORDER BY revision LIMIT 200',
    )
    const until = this.#now
    let rewritten = 0
    for (let from = 0; from < until && signal?.aborted !== true; ) {
      const page = await this.#transaction('rotate', scatteredBytes, () => {
        const found = rows.all(from, until)
        for (const [revision, key] of found) rewritten += this.#rewrite(Number(revision), key as Key)
        return found
      })
      this.#checkOpen()
      progress?.(rewritten)
      if (page.length < 200) break
      from = Number(page.at(-1)![0])
      await nextTurn()
    }
    // The caller may delete the old key afterwards, so the result must be durable.
    await this.#wal.sync().catch((error: unknown) => {
      throw this.#commitFailure(error)
    })
    return rewritten
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown()
    return this.#closed
  }

  async #shutDown(): Promise<void> {
    this.#closing.abort()
    this.#watch.close()
    this.#hub.close()
    await this.#queue.drained()
    await this.#sweeping.catch(() => {})
    await this.#queue.drained()
    await this.#checkpointer.close()
    this.#wal.close()
    this.#watch.lookAtFiles()
    // Closing the last connection would checkpoint the log into the file that replaced this store's, and delete that
    // file's own log. The process exits without closing.
    if (this.#watch.failure === undefined) this.#closeConnection()
    this.#lock.release()
  }

  #closeConnection(): void {
    try {
      markClosed(this.#connection)
    } catch (error) {
      // Closing would remove the log although the file is marked as open. The next server recovers from the log.
      this.#report(`cannot close ${this.#file}: ${String(error)}`)
      return
    }
    this.#connection.close()
    this.#watch.closed()
  }

  // Writes all waiting commits in one transaction. The index is updated after the sync.
  async #write(commits: readonly PendingCommit[]): Promise<void> {
    const outcomes = new Array<CommitOutcome>(commits.length)
    const writer = this.#writer
    if (this.#broken !== undefined) {
      for (const commit of commits) commit.reject(this.#unwritable())
      return
    }
    try {
      writer.begin(this.#hub.followers > 0)
      this.#begin.run()
      for (let at = 0; at < commits.length; at++) outcomes[at] = writer.apply(commits[at]!.group)
      if (writer.hidesLast && writer.last > this.#now) this.#setMeta.run('now', writer.last)
    } catch (error) {
      this.#giveUp(commits, storageErrorOf(this.#driver, `write ${this.#file}`, error))
      return
    }
    try {
      this.#commit.run()
    } catch (error) {
      this.#giveUp(commits, this.#commitFailure(error))
      return
    }
    try {
      if (writer.last > this.#now) await this.#wal.sync()
    } catch (error) {
      const failure = this.#commitFailure(error)
      for (const commit of commits) commit.reject(failure)
      return
    }
    // A commit is not acknowledged when it went into files that are no longer those of the store.
    this.#watch.lookAtFiles()
    if (this.#watch.failure !== undefined) {
      for (const commit of commits) commit.reject(this.#watch.failure)
      return
    }
    writer.settle()
    this.#checkpointer.wrote(writer.bytes)
    if (writer.last > this.#now) this.#tell(writer.last)
    for (let at = 0; at < commits.length; at++) commits[at]!.resolve(outcomes[at]!)
  }

  #tell(revision: Revision): void {
    this.#now = revision
    if (this.#writer.collecting) this.#hub.publish({ changes: this.#writer.changes, revision })
    else this.#hub.skip(revision)
  }

  #giveUp(commits: readonly PendingCommit[], failure: StorageError): void {
    this.#rollBack()
    this.#writer.drop(this.#now)
    for (const commit of commits) commit.reject(failure)
  }

  // Waits until the index agrees with the tables for a space.
  async #shown(space: Space): Promise<void> {
    while (this.#writer.hides(space)) {
      this.#checkWritable()
      await this.#writing
    }
    this.#checkOpen()
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
    } catch (error) {
      this.#broken = `rolling back failed (${String(error)})`
    }
  }

  // After a failed sync it is unknown what is on disk, and a second sync would not tell; only reopening does.
  #commitFailure(error: unknown): StorageError {
    const code = this.#driver.codeOf(error)
    if (code !== undefined && code !== sqliteCodes.io)
      return storageErrorOf(this.#driver, `commit to ${this.#file}`, error)
    this.#broken = `the disk failed (${String(error)})`
    return new StorageError(
      'unknown-outcome',
      `the outcome of the commit to ${this.#file} is unknown: ${this.#broken}; restart the server`,
      {
        cause: error,
      },
    )
  }

  // A small transaction of the store itself, between those of callers. The next commit's sync makes it durable.
  #transaction<T>(attempted: string, bytes: number, work: () => T): Promise<T> {
    return this.#queue.between(() => {
      this.#checkWritable()
      try {
        this.#begin.run()
        const answer = work()
        this.#commit.run()
        this.#checkpointer.wrote(bytes)
        return answer
      } catch (error) {
        this.#rollBack()
        throw storageErrorOf(this.#driver, `${attempted} ${this.#file}`, error)
      }
    })
  }

  // Runs in steps of a few milliseconds, one sweep at a time; a later call waits for the earlier one and does the rest.
  #sweep(): Promise<void> {
    const sweep = async () => {
      while (this.#swept < this.#compacted && !this.#closing.signal.aborted) {
        await this.#sweepStep()
        await nextTurn()
      }
    }
    const done = this.#sweeping.then(sweep, sweep)
    this.#sweeping = done
    return done
  }

  async #sweepStep(): Promise<void> {
    const step = await this.#transaction('compact', scatteredBytes, () => {
      const done = this.#compaction.step(this.#swept, this.#compacted)
      this.#setMeta.run('swept', done.swept)
      // The row with the last revision may be among the deleted ones.
      this.#setMeta.run('now', this.#now)
      return done
    })
    this.#swept = step.swept
    this.#compaction.settle(step.forgotten)
  }

  #rewrite(revision: Revision, key: Key): number {
    if (this.#table.find(key)?.encrypted !== true) return 0
    const sealed = this.#values.get(revision)
    if (this.#sealer!.isCurrent(sealed)) return 0
    const again = this.#sealer!.seal(key, revision, this.#sealer!.open(key, revision, sealed))
    this.#rewriteValue.run(again, revision)
    return 1
  }

  #getNow(space: Space, key: Key): Entry | undefined {
    const slot = this.#index.locate(key)
    const revision = this.#index.presentRevision(slot)
    if (revision === undefined) return undefined
    return {
      key,
      value: this.#open(space, key, revision, this.#values.get(revision)),
      tag: this.#index.slots.tags[slot]!,
      revision,
    }
  }

  #getAt(space: Space, key: Key, pin: Revision): Entry | undefined {
    const slot = this.#index.locate(key)
    const version = slot < 0 ? undefined : this.#pages.versionAt(slot, pin)
    // A value replaced by a readable change is still kept, although it is below the compaction.
    if (pin < this.#compacted && version?.revision !== pin) throw expiredAt(pin, this.#compacted)
    if (version === undefined || version.deleted) return undefined
    return {
      key,
      value: this.#open(space, key, version.revision, this.#values.get(version.revision)),
      tag: version.tag,
      revision: version.revision,
    }
  }

  #find(
    space: Space,
    range: Range,
    { limit = defaultPageLimit, after, revision }: ScanOptions,
  ): { found: FoundPage; revision: Revision } {
    checkPageLimit(limit)
    const compiled = compileRange(this.#table, range)
    checkReadRevision(space, revision, this.#now)
    if (revision !== undefined && revision < this.#compacted) throw expiredAt(revision, this.#compacted)
    const found = this.#reading(() => this.#pages.find(compiled, after, revision, limit))
    return { found, revision: revision ?? this.#now }
  }

  #valuesOf(keys: readonly Key[], revisions: readonly Revision[], space?: Space): Uint8Array[] {
    const values = this.#values.all(revisions)
    if (space?.encrypted === false) return values
    return values.map((value, at) => {
      const key = keys[at]!
      return this.#open(space ?? this.#table.find(key), key, revisions[at]!, value)
    })
  }

  #open(space: Space | undefined, key: Key, revision: Revision, kept: Uint8Array): Uint8Array {
    return space?.encrypted === true ? this.#sealer!.open(key, revision, kept) : kept
  }

  #changeLog(): ChangeLog {
    const log = new SqliteLog(this.#connection, (keys, revisions) => this.#valuesOf(keys, revisions))
    return {
      now: async () => this.#now,
      compacted: () => this.#compacted,
      read: async (after) => this.#reading(() => log.read(after, this.#now)),
    }
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (error instanceof StorageError) throw error
      this.#watch.look()
      throw this.#watch.failure ?? storageErrorOf(this.#driver, `read ${this.#file}`, error)
    }
  }

  #meta(name: MetaName): number {
    return numberOf(this.#connection, `SELECT value FROM meta WHERE name = '${name}'`)
  }

  #checkOpen(): void {
    if (this.#watch.failure !== undefined) throw this.#watch.failure
    if (this.#closed !== undefined) throw new StorageError('closed', 'cannot use the store: it was closed')
  }

  #checkWritable(): void {
    if (this.#broken !== undefined) throw this.#unwritable()
  }

  #unwritable(): StorageError {
    if (this.#watch.failure !== undefined) return this.#watch.failure
    return new StorageError('unavailable', `cannot write ${this.#file}: ${this.#broken}; restart the server`)
  }
}

const nothing = new Uint8Array(0)

// Bytes written by a step of compaction or rotation: scattered pages.
const scatteredBytes = 4 * 1024 * 1024

function limitPages(connection: SqliteConnection, bytes: number): void {
  connection.query(`PRAGMA max_page_count = ${Math.ceil(bytes / pageBytes)}`).get()
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
