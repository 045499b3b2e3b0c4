import type { Change, ChangeBatch, CommitOutcome, Group, Operation, Refused, Revision } from '../contract.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { expectationHolds } from '../expectation.ts'
import type { Key } from '../key.ts'
import { compileRange, type KeyRange, rangeHolds } from '../key-range.ts'
import type { SpaceTable } from '../space-table.ts'
import { stampValue } from '../stamp.ts'
import { rowKind } from './statements.ts'

/** State of a key of a batch after the counter was locked. */
export interface KeyState {
  readonly key: Key
  /** Newest row of the log, or the current row in a space without history. */
  readonly revision: Revision
  readonly deleted: boolean
}

export interface LogRow {
  readonly revision: Revision
  readonly last: Revision
  readonly key: Key
  readonly kind: number
  readonly previous: Revision | null
  readonly tag: number
  readonly value: Uint8Array
}

export interface PlainRow {
  readonly key: Key
  readonly revision: Revision
  readonly tag: number
  readonly value: Uint8Array
}

/** The result of each group of a batch, and the rows to write. */
export interface BatchPlan {
  readonly outcomes: readonly CommitOutcome[]
  readonly now: Revision
  readonly log: readonly LogRow[]
  /** Final state of each key with history. */
  readonly current: readonly KeyState[]
  /** Ranges to delete in spaces without history; applied before single deletes. */
  readonly ranges: readonly KeyRange[]
  readonly plainDeletes: readonly Key[]
  readonly plainPuts: readonly PlainRow[]
  readonly changes: ChangeBatch
}

/**
 * Applies groups in order to the state read under the lock. Pure: nothing is written, so that a batch whose transaction
 * was rolled back can be planned again.
 */
export function planBatch(
  table: SpaceTable,
  sealer: Sealer | undefined,
  groups: readonly Group[],
  now: Revision,
  states: readonly KeyState[],
): BatchPlan {
  return new Planner(table, sealer, now, states).plan(groups)
}

/** Converts key bytes to a string for use in maps. */
export function keyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
}

type Write = Exclude<Operation, { kind: 'delete-range' }>

class Planner {
  readonly #table: SpaceTable
  readonly #sealer: Sealer | undefined
  #now: Revision
  readonly #states: Map<string, KeyState>
  readonly #log: LogRow[] = []
  readonly #changes: Change[] = []
  readonly #current = new Map<string, KeyState>()
  readonly #plain = new Map<string, PlainRow | { readonly key: Key; readonly revision: undefined }>()
  readonly #ranges: KeyRange[] = []

  constructor(table: SpaceTable, sealer: Sealer | undefined, now: Revision, states: readonly KeyState[]) {
    this.#table = table
    this.#sealer = sealer
    this.#now = now
    this.#states = new Map(states.map((state) => [keyText(state.key), state]))
  }

  plan(groups: readonly Group[]): BatchPlan {
    const outcomes = groups.map((group) => this.#carryOut(group))
    const plain = [...this.#plain.values()]
    return {
      outcomes,
      now: this.#now,
      log: this.#log,
      current: [...this.#current.values()],
      ranges: this.#ranges,
      plainDeletes: plain.filter((row) => row.revision === undefined).map(({ key }) => key),
      plainPuts: plain.filter((row) => row.revision !== undefined),
      changes: { changes: this.#changes, revision: this.#now },
    }
  }

  #carryOut(group: Group): CommitOutcome {
    const failures = this.#failures(group)
    if (failures.length > 0) return { kind: 'refused', failures }
    const last = this.#now + group.operations.length
    const revisions = group.operations.map((operation) => {
      const revision = ++this.#now
      if (operation.kind === 'delete-range') this.#deleteRange(compileRange(this.#table, operation.range))
      else this.#write(operation, revision, last)
      return revision
    })
    return { kind: 'committed', revisions }
  }

  #failures({ operations, conditions = [] }: Group): Refused['failures'] {
    const failures: { key: Key; current: Revision | undefined }[] = []
    const check = (key: Key, expect: Write['expect']) => {
      if (expect === undefined || expect === 'any') return
      const state = this.#states.get(keyText(key))
      const current = state === undefined || state.deleted ? undefined : state.revision
      if (!expectationHolds(expect, current)) failures.push({ key, current })
    }
    for (const { key, expect } of conditions) check(key, expect)
    for (const operation of operations) if (operation.kind !== 'delete-range') check(operation.key, operation.expect)
    return failures
  }

  #deleteRange(range: KeyRange): void {
    this.#ranges.push(range)
    for (const [text, { key }] of this.#states) if (rangeHolds(range, key)) this.#states.delete(text)
    // A range delete removes earlier puts of the same group; later puts stay.
    for (const [text, { key }] of this.#plain) if (rangeHolds(range, key)) this.#plain.delete(text)
  }

  #write(operation: Write, revision: Revision, last: Revision): void {
    const { kind, key, tag = 0 } = operation
    const text = keyText(key)
    const before = this.#states.get(text)
    const present = before !== undefined && !before.deleted
    if (kind === 'delete' && !present) return
    const space = this.#table.of(key)
    const value = stampValue(operation.value ?? nothing, operation.stamp, revision)
    const kept = space.encrypted === true ? this.#sealer!.seal(key, revision, value) : value
    const state = { key, revision, deleted: kind === 'delete' }
    if (space.history) {
      const previous = present ? before.revision : undefined
      const row = kind === 'delete' ? rowKind.delete : present ? rowKind.put : rowKind.create
      this.#log.push({ revision, last, key, kind: row, previous: before?.revision ?? null, tag, value: kept })
      this.#changes.push({ kind, revision, key, value, tag, previous })
      this.#current.set(text, state)
      this.#states.set(text, state)
    } else if (kind === 'put') {
      this.#plain.set(text, { key, revision, tag, value: kept })
      this.#states.set(text, state)
    } else {
      this.#plain.set(text, { key, revision: undefined })
      this.#states.delete(text)
    }
  }
}

const nothing = new Uint8Array()
