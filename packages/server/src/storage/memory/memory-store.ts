import { type ChangeLog, ChangesHub } from '../changes-hub.ts'
import {
  type Change,
  type ChangeBatch,
  type ChangesOptions,
  type CommitOutcome,
  type Committed,
  type Condition,
  defaultPageLimit,
  type Entry,
  type Group,
  type JoinedPage,
  type JoinOptions,
  type Operation,
  type Page,
  type Range,
  type ReadOptions,
  type Refused,
  type Revision,
  type ScanOptions,
  type Snapshot,
  type Space,
  type Statistics,
  type Store,
} from '../contract.ts'
import { expectationHolds } from '../expectation.ts'
import { checkGroup } from '../group-check.ts'
import { joinValues } from '../join-values.ts'
import { compareKeys, type Key } from '../key.ts'
import { compileRange, rangeHolds } from '../key-range.ts'
import type { OpenOptions } from '../open-options.ts'
import { checkPageLimit, checkReached, checkReadRevision, expiredAt } from '../revision-check.ts'
import { SpaceTable } from '../space-table.ts'
import { stampValue } from '../stamp.ts'
import { StorageError } from '../storage-error.ts'
import { SortedKeys } from './sorted-keys.ts'

/** Opens a store in memory: the reference implementation that other backends are compared with. */
export function openMemoryStore(options: OpenOptions): Store {
  return new MemoryStore(options)
}

/** A key with its writes, newest last. Without history there is at most one. */
interface Row {
  readonly key: Key
  readonly space: Space
  writes: Write[]
}

interface Write {
  readonly revision: Revision
  readonly deleted: boolean
  readonly value: Uint8Array
  readonly tag: number
}

class MemoryStore implements Store {
  readonly #table: SpaceTable
  readonly #rows = new SortedKeys<Row>()
  /** Groups of the log; groups without changes are left out. */
  #log: ChangeBatch[] = []
  #now: Revision = 0
  #compacted: Revision = 0
  #closed = false
  readonly #hub: ChangesHub

  constructor(options: OpenOptions) {
    this.#table = new SpaceTable(options.spaces)
    const log: ChangeLog = {
      now: async () => this.#now,
      compacted: () => this.#compacted,
      read: async (after) => this.#readLog(after),
    }
    this.#hub = new ChangesHub(log, 0, options)
  }

  get spaces(): ReadonlyMap<string, Space> {
    return this.#table.byName
  }

  async commit(group: Group): Promise<CommitOutcome> {
    this.#checkOpen()
    checkGroup(this.#table, group)
    const failures = this.#failures(group)
    if (failures.length > 0) return { kind: 'refused', failures }
    return this.#carryOut(group)
  }

  async get(key: Key, { revision }: ReadOptions = {}): Promise<Entry | undefined> {
    this.#checkOpen()
    checkReadRevision(this.#table.of(key), revision, this.#now)
    const row = this.#rows.get(key)
    const write = row && writeAt(row, revision ?? this.#now)
    // A value replaced by a readable change is still kept, although it is below the compaction.
    if (revision !== undefined && revision < this.#compacted && (write === undefined || write.revision !== revision)) {
      throw expiredAt(revision, this.#compacted)
    }
    return write === undefined || write.deleted ? undefined : entryOf(key, write)
  }

  async scan(range: Range, options: ScanOptions = {}): Promise<Page> {
    this.#checkOpen()
    const { limit = defaultPageLimit, after } = options
    checkPageLimit(limit)
    const revision = this.#snapshot(range, options)
    const found = this.#entriesOf(range, revision).filter(
      ({ key }) => after === undefined || compareKeys(key, after) > 0,
    )
    const entries = found.slice(0, limit)
    return { entries, revision, ...(found.length > limit && { last: entries.at(-1)!.key }) }
  }

  async scanJoined(range: Range, options: JoinOptions = {}): Promise<JoinedPage | undefined> {
    const { entries, ...page } = await this.scan(range, options)
    const { joinTag = 0 } = options
    if (this.#table.named(range.space).encrypted === true || entries.some(({ tag }) => tag !== joinTag))
      return undefined
    return { bytes: joinValues(entries.map(({ value }) => value)), count: entries.length, ...page }
  }

  async count(range: Range): Promise<number> {
    this.#checkOpen()
    return this.#entriesOf(range, this.#now).length
  }

  async now(): Promise<Revision> {
    this.#checkOpen()
    return this.#now
  }

  changes(after: Revision, options: ChangesOptions = {}): AsyncIterable<ChangeBatch> {
    this.#checkOpen()
    if (options.space !== undefined) this.#checkHistory(options.space)
    return this.#hub.follow(after, options)
  }

  async compact(revision: Revision): Promise<Revision> {
    this.#checkOpen()
    checkReached(revision, this.#now)
    if (revision <= this.#compacted) return this.#compacted
    this.#compacted = revision
    this.#log = this.#log.filter((batch) => batch.revision > revision)
    for (const row of [...this.#rows]) this.#forget(row)
    return revision
  }

  async statistics(): Promise<Statistics> {
    this.#checkOpen()
    const writes = [...this.#rows].flatMap((row) => row.writes)
    return {
      now: this.#now,
      compacted: this.#compacted,
      keys: [...this.#rows].filter((row) => !row.writes.at(-1)!.deleted).length,
      bytes: writes.reduce((sum, write) => sum + write.value.length, 0),
      followers: this.#hub.followers,
      details: { writes: writes.length },
    }
  }

  async snapshot(): Promise<Snapshot> {
    throw new StorageError(
      'invalid',
      'cannot back up a store in memory: it has no persistence; use sqlite: or postgres:',
    )
  }

  /** Nothing is stored at rest, so nothing is encrypted. */
  async rotate(): Promise<number> {
    this.#checkOpen()
    return 0
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#hub.close()
  }

  #failures({ operations, conditions = [] }: Group): Refused['failures'] {
    const expectations: Condition[] = [...conditions]
    for (const operation of operations) {
      if (operation.kind !== 'delete-range')
        expectations.push({ key: operation.key, expect: operation.expect ?? 'any' })
    }
    return expectations
      .map(({ key, expect }) => ({ key, expect, current: this.#currentRevision(key) }))
      .filter(({ expect, current }) => !expectationHolds(expect, current))
      .map(({ key, current }) => ({ key, current }))
  }

  #carryOut({ operations }: Group): Committed {
    const changes: Change[] = []
    const revisions = operations.map((operation) => this.#operate(operation, changes))
    if (changes.length > 0) this.#log.push({ changes, revision: this.#now })
    this.#hub.publish({ changes, revision: this.#now })
    return { kind: 'committed', revisions }
  }

  #operate(operation: Operation, changes: Change[]): Revision {
    const revision = ++this.#now
    if (operation.kind === 'delete-range') this.#deleteRange(operation.range)
    else this.#write(operation, revision, changes)
    return revision
  }

  #deleteRange(range: Range): void {
    for (const { key } of this.#entriesOf(range, this.#now)) this.#rows.remove(key)
  }

  #write(operation: Exclude<Operation, { kind: 'delete-range' }>, revision: Revision, changes: Change[]): void {
    const { kind, key, tag = 0 } = operation
    const space = this.#table.of(key)
    const previous = this.#currentRevision(key)
    if (kind === 'delete' && previous === undefined) return
    const value = stampValue(operation.value ?? new Uint8Array(), operation.stamp, revision)
    const write = { revision, deleted: kind === 'delete', value, tag }
    if (space.history) changes.push({ kind, revision, key, value, tag, previous })
    this.#keep(key, space, write)
  }

  #keep(key: Key, space: Space, write: Write): void {
    const row = this.#rows.get(key)
    if (!space.history && write.deleted) this.#rows.remove(key)
    else if (row === undefined) this.#rows.add({ key, space, writes: [write] })
    else if (space.history) row.writes.push(write)
    else row.writes = [write]
  }

  // Keeps the values visible at the compaction revision, and later ones.
  #forget(row: Row): void {
    if (!row.space.history) return
    const first = row.writes.findLastIndex((write) => write.revision <= this.#compacted)
    row.writes = row.writes.slice(Math.max(0, first))
    if (row.writes[0]!.deleted && row.writes[0]!.revision <= this.#compacted) row.writes.shift()
    if (row.writes.length === 0) this.#rows.remove(row.key)
  }

  #snapshot({ space }: Range, { revision }: ReadOptions): Revision {
    checkReadRevision(this.#table.named(space), revision, this.#now)
    if (revision !== undefined && revision < this.#compacted) throw expiredAt(revision, this.#compacted)
    return revision ?? this.#now
  }

  #entriesOf(range: Range, revision: Revision): Entry[] {
    const compiled = compileRange(this.#table, range)
    const entries: Entry[] = []
    for (let at = this.#rows.position(compiled.whole.lower); at < this.#rows.size; at++) {
      const row = this.#rows.at(at)!
      if (compareKeys(row.key, compiled.whole.upper) >= 0) break
      const write = writeAt(row, revision)
      if (write !== undefined && !write.deleted && rangeHolds(compiled, row.key)) entries.push(entryOf(row.key, write))
    }
    return entries
  }

  #currentRevision(key: Key): Revision | undefined {
    const write = this.#rows.get(key)?.writes.at(-1)
    return write === undefined || write.deleted ? undefined : write.revision
  }

  #readLog(after: Revision): ChangeBatch {
    const batches = this.#log.filter((batch) => batch.revision > after)
    const changes = batches.flatMap((batch) => batch.changes).filter((change) => change.revision > after)
    return { changes, revision: this.#now }
  }

  #checkHistory(name: string): void {
    if (!this.#table.named(name).history) {
      throw new StorageError('invalid', `cannot follow changes in space ${name}: it keeps no history`)
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new StorageError('closed', 'cannot use the store: it was closed')
  }
}

function writeAt(row: Row, revision: Revision): Write | undefined {
  return row.writes.findLast((write) => write.revision <= revision)
}

function entryOf(key: Key, { value, tag, revision }: Write): Entry {
  return { key, value, tag, revision }
}
