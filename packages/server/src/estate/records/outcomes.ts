import { Buffer } from 'node:buffer'
import { type Entry, encodeKey, type Key, keyRoom, type Operation, type Range } from '../../storage/index.ts'
import { changeRange } from './changes.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { changeSpace, outcomeSpace } from './spaces.ts'

/** Stores the outcome of a change in a small record beside it, so that the large change isn't rewritten. It overrides these fields of the change. */
export function putOutcome(change: Key, progress: object): Operation {
  return { kind: 'put', key: outcomeKey(change), value: recordToBytes(progress) }
}

/** Stores a change with its outcome, and deletes the separate outcome. */
export function putWholeChange(change: Key, record: object): Operation[] {
  return [
    { kind: 'put', key: change, value: recordToBytes(record) },
    { kind: 'delete', key: outcomeKey(change) },
  ]
}

/** Deletes all changes of a plan and their outcomes. */
export function dropChanges(cluster: string, plan: string): Operation[] {
  const range = changeRange(cluster, plan)
  return [
    { kind: 'delete-range', range },
    { kind: 'delete-range', range: outcomeRange(range) },
  ]
}

/** Returns the key of a change's outcome: the same segments in another space. */
export function outcomeKey(change: Uint8Array): Key {
  const key = keyRoom(change.length - changePrefix.length + outcomePrefix.length)
  key.set(outcomePrefix)
  key.set(change.subarray(changePrefix.length), outcomePrefix.length)
  return key as unknown as Key
}

/** Returns the range of the outcomes of a range of changes. */
export function outcomeRange(changes: Range): Range {
  return { ...changes, space: outcomeSpace.name }
}

/** Merges a stream of outcomes with a stream of changes. Both are ordered by key. */
export class OutcomeStream {
  readonly #outcomes: AsyncIterator<Entry>
  #next: IteratorResult<Entry, unknown> | undefined

  constructor(outcomes: AsyncIterable<Entry>) {
    this.#outcomes = outcomes[Symbol.asyncIterator]()
  }

  /** Returns the outcome of a change; undefined when there is none. Call it in the order of changes. */
  async of(change: Key): Promise<object | undefined> {
    this.#next ??= await this.#outcomes.next()
    for (; this.#next.done !== true; this.#next = await this.#outcomes.next()) {
      const order = compareSegments(this.#next.value.key, change)
      if (order === 0) return recordFromBytes<object>(this.#next.value.value)
      if (order > 0) return undefined
    }
    return undefined
  }
}

const changePrefix = encodeKey(changeSpace.name, [])
const outcomePrefix = encodeKey(outcomeSpace.name, [])

function compareSegments(outcome: Uint8Array, change: Uint8Array): number {
  return Buffer.compare(outcome.subarray(outcomePrefix.length), change.subarray(changePrefix.length))
}
