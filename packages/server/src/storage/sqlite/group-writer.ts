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
import { compileRange, type KeyRange, nextSpan, rangeHolds } from '../key-range.ts'
import type { SpaceTable } from '../space-table.ts'
import { maxRevisionDigits, stampValue } from '../stamp.ts'
import type { SqliteConnection } from './drivers/driver.ts'
import type { KeyIndex } from './keys/key-index.ts'
import { type Written, WrittenKeys } from './keys/written-keys.ts'
import { entryFlags } from './schema.ts'

/**
 * Applies groups inside a transaction that its caller begins and ends. Tables are changed at once, the index only after
 * the transaction is durable. Until then only later groups of the same transaction see the changes. After a commit
 * {@link settle} updates the index; after a rollback {@link drop} discards the changes.
 */
export class GroupWriter {
  /** Changes of this transaction for followers. */
  changes: Change[] = []
  /** Approximate bytes written by this transaction. */
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
  /** Last revision with a row. The counter must be stored when a later revision has none. */
  #lastStored: Revision
  #collecting = false
  #scratch = Buffer.allocUnsafeSlow(16_384)
  readonly #written = new WrittenKeys()
  /** Spaces without history from which the transaction deleted rows that the index still has. */
  readonly #hidden = new Set<Space>()
  /** Result of the last lookup; valid until the next write. */
  #lastLookup: { readonly key: Key; readonly latest: Latest } | undefined

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

  /** Last assigned revision. */
  get last(): Revision {
    return this.#next - 1
  }

  /** True when the last revision has no row. */
  get hidesLast(): boolean {
    return this.#lastStored !== this.last
  }

  /** True when changes are collected for followers. */
  get collecting(): boolean {
    return this.#collecting
  }

  /** True when the index has rows of a space that this transaction deleted. */
  hides(space: Space): boolean {
    return this.#hidden.has(space)
  }

  /** Starts a transaction. `collecting` is true when there are followers. */
  begin(collecting: boolean): void {
    this.#collecting = collecting
    this.changes = []
    this.bytes = 0
    this.#written.clear()
    this.#hidden.clear()
    this.#lastLookup = undefined
  }

  /** Applies a group, or returns the failed expectations without changing anything. */
  apply(group: Group): CommitOutcome {
    const { operations } = group
    const failures = this.#failures(group)
    if (failures !== undefined) return { kind: 'refused', failures }
    const revisions = new Array<Revision>(operations.length)
    const lastLogged = operations.length > 1 ? this.#lastLoggable(operations) : 0
    let lastContinued: Revision = 0
    for (let at = 0; at < operations.length; at++) {
      const operation = operations[at]!
      const revision = this.#next++
      revisions[at] = revision
      if (operation.kind === 'delete-range') this.#deleteRange(operation, revision)
      else if (this.#write(operation, revision, at < lastLogged)) lastContinued = at < lastLogged ? revision : 0
    }
    // The last loggable operation deleted an absent key, so the previous one is the end of the group.
    if (lastContinued > 0) this.#setFlags.run(lastContinued)
    return { kind: 'committed', revisions }
  }

  /** Updates the index with a durable transaction. */
  settle(): void {
    for (const { key, space, revision, tag, size, deleted } of this.#written.values()) {
      if (deleted && !space.history) this.#index.remove(key)
      else this.#index.write(this.#index.locate(key), key, revision, tag, size, deleted)
    }
    this.#written.clear()
    this.#hidden.clear()
  }

  /** Discards a transaction that was rolled back. */
  drop(now: Revision): void {
    this.#next = now + 1
    this.#lastStored = now
    this.begin(false)
  }

  #failures({ operations, conditions }: Group): Refused['failures'] | undefined {
    const failures: { key: Key; current: Revision | undefined }[] = []
    const check = (key: Key, expect: Expectation | undefined) => {
      if (expect === undefined || expect === 'any') return
      const current = this.#latest(key).present
      if (!expectationHolds(expect, current)) failures.push({ key, current })
    }
    if (conditions !== undefined) for (const { key, expect } of conditions) check(key, expect)
    for (const operation of operations) if (operation.kind !== 'delete-range') check(operation.key, operation.expect)
    return failures.length === 0 ? undefined : failures
  }

  // Position of the last operation that can appear in the log of changes.
  #lastLoggable(operations: Group['operations']): number {
    return operations.findLastIndex(
      (operation) => operation.kind !== 'delete-range' && this.#table.find(operation.key)!.history,
    )
  }

  // Writes one key. Returns true when the log contains the write.
  #write(operation: PutOperation | DeleteOperation, revision: Revision, continued: boolean): boolean {
    const { kind, key } = operation
    const space = this.#table.find(key)!
    const { revision: older, present } = this.#latest(key)
    if (kind === 'delete' && present === undefined) return false
    const tag = operation.tag ?? 0
    const given = operation.value ?? nothing
    // SQLite copies the bytes, so a separate buffer is needed only for followers.
    const value = stampValue(
      given,
      operation.stamp,
      revision,
      this.#collecting ? undefined : this.#scratchFor(given.length),
    )
    this.#note({ key, space, revision, tag, size: value.length, deleted: kind === 'delete' })
    if (!space.history) {
      if (present !== undefined) this.#deleteRow(space, present)
      if (kind === 'put') this.#insert(space, key, revision, 0, value, tag, entryFlags.plain)
      return false
    }
    const flags =
      (kind === 'delete' ? entryFlags.deleted : 0) |
      (present === undefined ? entryFlags.created : 0) |
      (continued ? entryFlags.continued : 0)
    this.#insert(space, key, revision, older, value, tag, flags)
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
    const space = this.#table.named(range.space)
    for (const key of this.#presentKeys(compileRange(this.#table, range))) {
      this.#deleteRow(space, this.#latest(key).revision)
      this.#note({ key, space, revision, tag: 0, size: 0, deleted: true })
    }
  }

  #note(written: Written): void {
    this.#written.set(written)
    this.#lastLookup = undefined
  }

  #presentKeys(range: KeyRange): Key[] {
    const keys: Key[] = []
    const seek = (from: Uint8Array) => this.#index.first(from)
    for (
      let span = nextSpan(range, range.whole.lower, seek);
      span !== undefined;
      span = nextSpan(range, span.upper, seek)
    ) {
      this.#index.walk(span, (slot) => {
        if (this.#index.slots.deleted[slot] === 0) keys.push(this.#index.slots.keyOf(slot))
        return true
      })
    }
    if (this.#written.size === 0) return keys
    const untouched = keys.filter((key) => this.#written.get(key) === undefined)
    for (const { key, deleted } of this.#written.values()) if (!deleted && rangeHolds(range, key)) untouched.push(key)
    return untouched
  }

  // A write reuses the lookup of its check.
  #latest(key: Key): Latest {
    if (this.#lastLookup?.key !== key) this.#lastLookup = { key, latest: this.#find(key) }
    return this.#lastLookup.latest
  }

  #find(key: Key): Latest {
    const written = this.#written.get(key)
    if (written !== undefined) {
      const { revision, deleted } = written
      return { revision, present: deleted ? undefined : revision }
    }
    const slot = this.#index.locate(key)
    return { revision: slot < 0 ? 0 : this.#index.slots.revisions[slot]!, present: this.#index.presentRevision(slot) }
  }

  #scratchFor(length: number): Buffer {
    if (this.#scratch.length < length + maxRevisionDigits)
      this.#scratch = Buffer.allocUnsafeSlow(2 * length + maxRevisionDigits)
    return this.#scratch
  }

  #deleteRow(space: Space, revision: Revision): void {
    this.#hidden.add(space)
    this.#deleteEntry.run(revision)
    this.#deleteValue.run(revision)
    this.bytes += scatteredBytes
    if (revision === this.#lastStored) this.#lastStored = 0
  }
}

/** Newest revision of a key (0: none), and the same when the key exists. */
interface Latest {
  readonly revision: Revision
  readonly present: Revision | undefined
}

const nothing = new Uint8Array()
const rowBytes = 40
// Deleting an old row rewrites a page of each table.
const scatteredBytes = 32_768
