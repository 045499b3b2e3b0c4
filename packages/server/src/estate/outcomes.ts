import { Buffer } from 'node:buffer'
import { type Entry, encodeKey, type Key, keyRoom, type Operation, type Range } from '../storage/index.ts'
import { changeRange } from './changes.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { changeSpace, outcomeSpace } from './spaces.ts'

/** Keeps what came of a change beside it, so that the change is not written again. It replaces those fields of the change. */
export function putOutcome(change: Key, came: object): Operation {
  return { kind: 'put', key: outcomeKey(change), value: recordToBytes(came) }
}

/** Keeps a change as it is now, with everything that came of it. */
export function putWholeChange(change: Key, record: object): Operation[] {
  return [
    { kind: 'put', key: change, value: recordToBytes(record) },
    { kind: 'delete', key: outcomeKey(change) },
  ]
}

/** Takes away every change of a plan, and what came of them. */
export function dropChanges(cluster: string, plan: string): Operation[] {
  const range = changeRange(cluster, plan)
  return [
    { kind: 'delete-range', range },
    { kind: 'delete-range', range: outcomeRange(range) },
  ]
}

/** What came of a change has the same place in another space. */
export function outcomeKey(change: Uint8Array): Key {
  const key = keyRoom(change.length - changePrefix.length + outcomePrefix.length)
  key.set(outcomePrefix)
  key.set(change.subarray(changePrefix.length), outcomePrefix.length)
  return key as unknown as Key
}

/** What came of the changes in a range. */
export function outcomeRange(changes: Range): Range {
  return { ...changes, space: outcomeSpace.name }
}

/** Brings changes and what came of them together. Both are in the order of places. */
export class OutcomesBeside {
  readonly #outcomes: AsyncIterator<Entry>
  #next: IteratorResult<Entry, unknown> | undefined

  constructor(outcomes: AsyncIterable<Entry>) {
    this.#outcomes = outcomes[Symbol.asyncIterator]()
  }

  /** What came of a change, undefined when nothing did so far. To be asked in the order of changes. */
  async of(change: Key): Promise<object | undefined> {
    this.#next ??= await this.#outcomes.next()
    for (; this.#next.done !== true; this.#next = await this.#outcomes.next()) {
      const order = comparePlaces(this.#next.value.key, change)
      if (order === 0) return recordFromBytes<object>(this.#next.value.value)
      if (order > 0) return undefined
    }
    return undefined
  }
}

const changePrefix = encodeKey(changeSpace.name, [])
const outcomePrefix = encodeKey(outcomeSpace.name, [])

function comparePlaces(outcome: Uint8Array, change: Uint8Array): number {
  return Buffer.compare(outcome.subarray(outcomePrefix.length), change.subarray(changePrefix.length))
}
