import type {
  Change,
  CommitOutcome,
  DeleteOperation,
  DeleteRangeOperation,
  Expectation,
  Group,
  PutOperation,
  Refused,
  Revision,
  Space,
} from '../contract.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { expectationHolds } from '../expectation.ts'
import type { Key } from '../key.ts'
import { compileRange, nextSpan } from '../key-range.ts'
import type { SpaceTable } from '../space-table.ts'
import { mostRevisionDigits, stampValue } from '../stamp.ts'
import type { SqliteConnection } from './driver.ts'
import type { KeyIndex } from './key-index.ts'
import { entryFlags } from './schema.ts'

/**
 * Carries out groups inside a transaction that somebody else begins and ends: in the tables, and at once in the index, so
 * that a later group of the same transaction sees the earlier. When the transaction ends badly, {@link undo} takes the index
 * back to what it was; when it ends well, {@link settle} lets the past go.
 */
export class GroupWriter {
  /** The changes of this transaction for followers. */
  changes: Change[] = []
  /** About how many bytes this transaction writes. */
  bytes = 0
  readonly #index: KeyIndex
  readonly #table: SpaceTable
  readonly #sealer: Sealer | undefined
  readonly #insertEntry
  readonly #insertValue
  readonly #deleteEntry
  readonly #deleteValue
  readonly #setFlags
  #next: Revision
  /** The last revision that has a row: the counter needs keeping when it is not the last of all. */
  #lastStored: Revision
  #collecting = false
  #scratch = Buffer.allocUnsafeSlow(16_384)
  #undo: Undo[] = []
  /** Keys of spaces without history that were deleted: taken out of the index at the end. */
  #gone: Key[] = []

  constructor(
    connection: SqliteConnection,
    index: KeyIndex,
    table: SpaceTable,
    sealer: Sealer | undefined,
    now: Revision,
  ) {
    this.#index = index
    this.#table = table
    this.#sealer = sealer
    this.#next = now + 1
    this.#lastStored = now
    this.#insertEntry = connection.prepare('INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)')
    this.#insertValue = connection.prepare('INSERT INTO log VALUES (?, ?)')
    this.#deleteEntry = connection.prepare('DELETE FROM entry WHERE revision = ?')
    this.#deleteValue = connection.prepare('DELETE FROM log WHERE revision = ?')
    this.#setFlags = connection.prepare('UPDATE entry SET flags = flags & ~4 WHERE revision = ?')
  }

  /** The last revision given out. */
  get last(): Revision {
    return this.#next - 1
  }

  /** Whether the last revision has no row that shows it. */
  get hidesLast(): boolean {
    return this.#lastStored !== this.last
  }

  /** Forgets the transaction before. `collecting` says whether followers want the changes. */
  begin(collecting: boolean): void {
    this.#collecting = collecting
    this.changes = []
    this.bytes = 0
    this.#undo = []
    this.#gone = []
  }

  /** Carries out a group, or says what was not as expected; then nothing happened. */
  apply(group: Group): CommitOutcome {
    const { operations } = group
    const failures = this.#failures(group)
    if (failures !== undefined) return { kind: 'refused', failures }
    const revisions = new Array<Revision>(operations.length)
    const lastLogged = operations.length > 1 ? this.#lastLoggable(operations) : 0
    let told: Revision = 0
    for (let at = 0; at < operations.length; at++) {
      const operation = operations[at]!
      const revision = this.#next++
      revisions[at] = revision
      if (operation.kind === 'delete-range') this.#deleteRange(operation, revision)
      else if (this.#write(operation, revision, at < lastLogged)) told = at < lastLogged ? revision : 0
    }
    // The last loggable operation deleted what was absent, so that the one before it ended the group after all.
    if (told > 0) this.#setFlags.run(told)
    return { kind: 'committed', revisions }
  }

  /** Ends a transaction that was committed. */
  settle(): void {
    for (const key of this.#gone) {
      const slot = this.#index.locate(key)
      if (slot >= 0 && this.#index.slots.deleted[slot] === 1) this.#index.remove(key)
    }
    this.#gone = []
    this.#undo = []
  }

  /** Takes everything back that this transaction did to the index and the counter. */
  undo(now: Revision): void {
    for (const { key, revision, tag, size, deleted } of this.#undo.reverse()) {
      if (revision === 0) this.#index.remove(key)
      else this.#index.write(this.#index.locate(key), key, revision, tag, size, deleted)
    }
    this.#next = now + 1
    this.#lastStored = now
    this.begin(false)
  }

  #failures({ operations, conditions }: Group): Refused['failures'] | undefined {
    const failures: { key: Key; current: Revision | undefined }[] = []
    const check = (key: Key, expect: Expectation | undefined) => {
      if (expect === undefined || expect === 'any') return
      const current = this.#index.presentRevision(this.#index.locate(key))
      if (!expectationHolds(expect, current)) failures.push({ key, current })
    }
    if (conditions !== undefined) for (const { key, expect } of conditions) check(key, expect)
    for (const operation of operations) if (operation.kind !== 'delete-range') check(operation.key, operation.expect)
    return failures.length === 0 ? undefined : failures
  }

  // The position of the last operation that the log of changes may tell of.
  #lastLoggable(operations: Group['operations']): number {
    return operations.findLastIndex(
      (operation) => operation.kind !== 'delete-range' && this.#table.find(operation.key)!.history,
    )
  }

  // Writes one key; answers whether the log tells of it.
  #write(operation: PutOperation | DeleteOperation, revision: Revision, continued: boolean): boolean {
    const { kind, key } = operation
    const index = this.#index
    const space = this.#table.find(key)!
    const slot = index.locate(key)
    const present = index.presentRevision(slot)
    if (kind === 'delete' && present === undefined) return false
    const older = slot < 0 ? 0 : index.slots.revisions[slot]!
    const tag = operation.tag ?? 0
    const given = operation.value ?? nothing
    // SQLite copies what it is given, so that only followers need bytes of their own.
    const value = stampValue(
      given,
      operation.stamp,
      revision,
      this.#collecting ? undefined : this.#scratchFor(given.length),
    )
    this.#remember(key, slot)
    if (!space.history) {
      if (present !== undefined) this.#deleteRow(present)
      if (kind === 'delete') this.#gone.push(key)
      else this.#insert(space, key, revision, 0, value, tag, entryFlags.plain)
      index.write(slot, key, revision, tag, value.length, kind === 'delete')
      return false
    }
    const flags =
      (kind === 'delete' ? entryFlags.deleted : 0) |
      (present === undefined ? entryFlags.created : 0) |
      (continued ? entryFlags.continued : 0)
    this.#insert(space, key, revision, older, value, tag, flags)
    index.write(slot, key, revision, tag, value.length, kind === 'delete')
    if (this.#collecting) this.changes.push({ kind, revision, key, value, tag, previous: present })
    return true
  }

  #insert(
    space: Space,
    key: Key,
    revision: Revision,
    previous: Revision,
    value: Uint8Array,
    tag: number,
    flags: number,
  ): void {
    const kept = space.encrypted === true ? this.#sealer!.seal(key, revision, value) : value
    this.#insertEntry.run(revision, key, previous, value.length, tag, flags)
    this.#insertValue.run(revision, kept)
    this.#lastStored = revision
    this.bytes += kept.length + key.length + rowBytes
  }

  #deleteRange({ range }: DeleteRangeOperation, revision: Revision): void {
    const compiled = compileRange(this.#table, range)
    const keys: Key[] = []
    const seek = (from: Uint8Array) => this.#index.first(from)
    for (
      let span = nextSpan(compiled, compiled.whole.lower, seek);
      span !== undefined;
      span = nextSpan(compiled, span.upper, seek)
    ) {
      this.#index.walk(span, (slot) => {
        if (this.#index.slots.deleted[slot] === 0) keys.push(this.#index.slots.keyOf(slot))
        return true
      })
    }
    for (const key of keys) {
      const slot = this.#index.locate(key)
      this.#remember(key, slot)
      this.#deleteRow(this.#index.slots.revisions[slot]!)
      this.#gone.push(key)
      this.#index.write(slot, key, revision, 0, 0, true)
    }
  }

  #scratchFor(length: number): Buffer {
    if (this.#scratch.length < length + mostRevisionDigits)
      this.#scratch = Buffer.allocUnsafeSlow(2 * length + mostRevisionDigits)
    return this.#scratch
  }

  #deleteRow(revision: Revision): void {
    this.#deleteEntry.run(revision)
    this.#deleteValue.run(revision)
    this.bytes += scatteredBytes
    if (revision === this.#lastStored) this.#lastStored = 0
  }

  #remember(key: Key, slot: number): void {
    const { slots } = this.#index
    if (slot < 0) this.#undo.push({ key, revision: 0, tag: 0, size: 0, deleted: false })
    else
      this.#undo.push({
        key,
        revision: slots.revisions[slot]!,
        tag: slots.tags[slot]!,
        size: slots.sizes[slot]!,
        deleted: slots.deleted[slot] === 1,
      })
  }
}

/** What the index said of a key before; revision 0 when it said nothing. */
interface Undo {
  readonly key: Key
  readonly revision: Revision
  readonly tag: number
  readonly size: number
  readonly deleted: boolean
}

const nothing = new Uint8Array()
const rowBytes = 40
// Deleting an old row writes a whole page of each table.
const scatteredBytes = 32_768
