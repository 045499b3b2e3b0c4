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
import { mostRevisionDigits, stampValue } from '../stamp.ts'
import type { SqliteConnection } from './driver.ts'
import type { KeyIndex } from './key-index.ts'
import { entryFlags } from './schema.ts'
import { type Written, WrittenKeys } from './written-keys.ts'

/**
 * Carries out groups inside a transaction that somebody else begins and ends: in the tables at once, in the index only when
 * the disk has them. Until then a later group of the same transaction sees the earlier, and nobody else does. When the
 * transaction ends well, {@link settle} brings it into the index; when it ends badly, {@link drop} forgets it.
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
  readonly #written = new WrittenKeys()
  /** Spaces without history where the transaction took rows away that the index still names. */
  readonly #hidden = new Set<Space>()
  /** What was found out last, while nothing was written since. */
  #asked: { readonly key: Key; readonly latest: Latest } | undefined

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

  /** Whether followers get the changes of this transaction. */
  get collecting(): boolean {
    return this.#collecting
  }

  /** Whether the index names rows of a space that are gone, until the transaction is settled. */
  hides(space: Space): boolean {
    return this.#hidden.has(space)
  }

  /** Forgets the transaction before. `collecting` says whether followers want the changes. */
  begin(collecting: boolean): void {
    this.#collecting = collecting
    this.changes = []
    this.bytes = 0
    this.#written.clear()
    this.#hidden.clear()
    this.#asked = undefined
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

  /** Brings a transaction that the disk has into the index. */
  settle(): void {
    for (const { key, space, revision, tag, size, deleted } of this.#written.values()) {
      if (deleted && !space.history) this.#index.remove(key)
      else this.#index.write(this.#index.locate(key), key, revision, tag, size, deleted)
    }
    this.#written.clear()
    this.#hidden.clear()
  }

  /** Forgets a transaction that was taken back. */
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

  // The position of the last operation that the log of changes may tell of.
  #lastLoggable(operations: Group['operations']): number {
    return operations.findLastIndex(
      (operation) => operation.kind !== 'delete-range' && this.#table.find(operation.key)!.history,
    )
  }

  // Writes one key; answers whether the log tells of it.
  #write(operation: PutOperation | DeleteOperation, revision: Revision, continued: boolean): boolean {
    const { kind, key } = operation
    const space = this.#table.find(key)!
    const { revision: older, present } = this.#latest(key)
    if (kind === 'delete' && present === undefined) return false
    const tag = operation.tag ?? 0
    const given = operation.value ?? nothing
    // SQLite copies what it is given, so that only followers need bytes of their own.
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
    this.#asked = undefined
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

  // What a check found out is used by the write that follows it.
  #latest(key: Key): Latest {
    if (this.#asked?.key !== key) this.#asked = { key, latest: this.#find(key) }
    return this.#asked.latest
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
    if (this.#scratch.length < length + mostRevisionDigits)
      this.#scratch = Buffer.allocUnsafeSlow(2 * length + mostRevisionDigits)
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

/** The newest revision of a key, 0 when there is none, and the same again when the key is present. */
interface Latest {
  readonly revision: Revision
  readonly present: Revision | undefined
}

const nothing = new Uint8Array()
const rowBytes = 40
// Deleting an old row writes a whole page of each table.
const scatteredBytes = 32_768
