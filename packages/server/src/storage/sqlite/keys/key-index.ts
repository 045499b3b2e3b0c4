import type { Revision, Tag } from '../../contract.ts'
import type { KeySpan } from '../../key-range.ts'
import { KeySlots } from './key-slots.ts'
import { sortSlots } from './sort-slots.ts'

/**
 * All keys in order with their newest revision, in typed arrays: sorted chunks of up to 1,024 slots, with the number of
 * existing keys per chunk, so that counting sums up chunks. It needs no object or string per key.
 */
export class KeyIndex {
  readonly slots = new KeySlots()
  #chunks: Chunk[] = []
  /** Number of existing keys; deleted keys kept for history do not count. */
  #live = 0
  // Result of the last `locate`: the chunk and the position of the key, or of its insertion.
  #chunkAt = 0
  #placeAt = 0
  // Common prefix lengths of the last key sought and its neighbours before and after.
  #lowCommon = 0
  #highCommon = 0
  /** Last positions by a few bits of the key: consecutive lookups in one space are often close to each other. */
  readonly #lastChunks = new Uint32Array(lastFinger + 1)
  readonly #lastPlaces = new Uint32Array(lastFinger + 1)

  get live(): number {
    return this.#live
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.slots.bytes + this.#chunks.length * chunkSize * 4
  }

  /** Returns the slot of a key, or -1. {@link write} may follow for the same key. */
  locate(key: Uint8Array): number {
    const chunk = this.#seek(key)
    if (chunk === undefined || this.#placeAt === chunk.count) return -1
    const slot = chunk.slots[this.#placeAt]!
    return this.slots.compare(slot, key, Math.min(this.#lowCommon, this.#highCommon)) === 0 ? slot : -1
  }

  /** Revision of a located slot's key when it exists. */
  presentRevision(slot: number): Revision | undefined {
    return slot < 0 || this.slots.deleted[slot] === 1 ? undefined : this.slots.revisions[slot]!
  }

  /** Sets the data of the key located last; `slot` is the result of `locate`. Returns its slot. */
  write(slot: number, key: Uint8Array, revision: Revision, tag: Tag, size: number, deleted: boolean): number {
    if (slot < 0) return this.#insert(key, revision, tag, size, deleted)
    const change = this.slots.deleted[slot]! - (deleted ? 1 : 0)
    this.#live += change
    this.#chunks[this.#chunkAt]!.live += change
    this.slots.set(slot, revision, tag, size, deleted)
    return slot
  }

  /** Removes a key and its history. */
  remove(key: Uint8Array): void {
    const slot = this.locate(key)
    if (slot < 0) return
    const chunk = this.#chunks[this.#chunkAt]!
    const present = this.slots.deleted[slot] === 1 ? 0 : 1
    this.#live -= present
    chunk.live -= present
    chunk.slots.copyWithin(this.#placeAt, this.#placeAt + 1, chunk.count--)
    this.slots.remove(slot)
    this.#shrink(this.#chunkAt)
  }

  /** Builds the index from slots that {@link KeySlots.add} created, in any order. */
  load(slots: Uint32Array): void {
    sortSlots(this.slots, slots)
    this.#chunks = []
    for (let start = 0; start < slots.length; start += loadedSize) {
      const chunk = createChunk(slots.subarray(start, start + loadedSize))
      for (let place = 0; place < chunk.count; place++) chunk.live += 1 - this.slots.deleted[chunk.slots[place]!]!
      this.#chunks.push(chunk)
      this.#live += chunk.live
    }
  }

  /** Visits the slots of a span in order until `visit` returns false. */
  walk({ lower, upper }: KeySpan, visit: (slot: number) => boolean): void {
    if (this.#seek(lower) === undefined) return
    const end = this.#endOf(upper)
    let place = this.#placeAt
    for (let at = this.#chunkAt; at <= end.chunkAt && at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!
      const stop = at === end.chunkAt ? end.placeAt : chunk.count
      for (; place < stop; place++) if (!visit(chunk.slots[place]!)) return
      place = 0
    }
  }

  /** Number of existing keys in a span. */
  count({ lower, upper }: KeySpan): number {
    if (this.#seek(lower) === undefined) return 0
    const end = this.#endOf(upper)
    let place = this.#placeAt
    let count = 0
    for (let at = this.#chunkAt; at <= end.chunkAt && at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!
      const stop = at === end.chunkAt ? end.placeAt : chunk.count
      if (place === 0 && stop === chunk.count) count += chunk.live
      else for (; place < stop; place++) count += 1 - this.slots.deleted[chunk.slots[place]!]!
      place = 0
    }
    return count
  }

  /** Returns the first key at or after some bytes. */
  first(from: Uint8Array): Uint8Array | undefined {
    const chunk = this.#seek(from)
    if (chunk === undefined) return undefined
    if (this.#placeAt < chunk.count) return this.slots.keyOf(chunk.slots[this.#placeAt]!)
    const next = this.#chunks[this.#chunkAt + 1]
    return next && this.slots.keyOf(next.slots[0]!)
  }

  // Position of the end of a span; keeps the position of its start.
  #endOf(upper: Uint8Array): { readonly chunkAt: number; readonly placeAt: number } {
    const [chunkAt, placeAt] = [this.#chunkAt, this.#placeAt]
    this.#seek(upper)
    const end = { chunkAt: this.#chunkAt, placeAt: this.#placeAt }
    this.#chunkAt = chunkAt
    this.#placeAt = placeAt
    return end
  }

  // Finds the last chunk that begins at or before the key, and in it the first position not before the key. Keys
  // between two bounds share the common prefix of the bounds and the key, so comparisons start after it.
  #seek(key: Uint8Array): Chunk | undefined {
    if (this.#chunks.length === 0) return undefined
    const finger = (key[0]! + key[1]! * 3 + key[2]! * 5) & lastFinger
    const before = this.#lastChunks[finger]!
    const isNear = this.#holds(before, key)
    this.#chunkAt = isNear ? before : this.#chunkFor(key)
    const chunk = this.#chunks[this.#chunkAt]!
    this.#placeAt = this.#placeFor(chunk, key, isNear ? this.#lastPlaces[finger]! : undefined)
    this.#lastChunks[finger] = this.#chunkAt
    this.#lastPlaces[finger] = this.#placeAt
    return chunk
  }

  // True when a key is between the first keys of a chunk and of the next one.
  #holds(chunkAt: number, key: Uint8Array): boolean {
    const chunk = this.#chunks[chunkAt]
    if (chunk === undefined || this.slots.compare(chunk.slots[0]!, key, 0) > 0) return false
    this.#lowCommon = this.slots.common
    this.#highCommon = 0
    const next = this.#chunks[chunkAt + 1]
    if (next === undefined) return true
    const isBefore = this.slots.compare(next.slots[0]!, key, 0) > 0
    this.#highCommon = this.slots.common
    return isBefore
  }

  #chunkFor(key: Uint8Array): number {
    this.#lowCommon = 0
    this.#highCommon = 0
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#isBefore(this.#chunks[middle]!.slots[0]!, key, true)) low = middle
      else high = middle - 1
    }
    return low
  }

  #placeFor(chunk: Chunk, key: Uint8Array, near: number | undefined): number {
    let from = 0
    let to = chunk.count
    if (near !== undefined) {
      const far = Math.min(near + 1, to - 1)
      for (let place = Math.max(near - 1, 0); place <= far; place++) {
        if (this.#isBefore(chunk.slots[place]!, key, false)) from = place + 1
        else {
          to = place
          break
        }
      }
    }
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#isBefore(chunk.slots[middle]!, key, false)) from = middle + 1
      else to = middle
    }
    return from
  }

  #isBefore(slot: number, key: Uint8Array, orEqual: boolean): boolean {
    const order = this.slots.compare(slot, key, Math.min(this.#lowCommon, this.#highCommon))
    const isBefore = order < 0 || (orEqual && order === 0)
    if (isBefore) this.#lowCommon = this.slots.common
    else this.#highCommon = this.slots.common
    return isBefore
  }

  #insert(key: Uint8Array, revision: Revision, tag: Tag, size: number, deleted: boolean): number {
    if (this.#chunks.length === 0) this.#chunks.push(createChunk())
    else if (this.#chunks[this.#chunkAt]!.count === chunkSize) this.#split()
    const chunk = this.#chunks[this.#chunkAt]!
    const slot = this.slots.add(key)
    this.slots.set(slot, revision, tag, size, deleted)
    chunk.slots.copyWithin(this.#placeAt + 1, this.#placeAt, chunk.count++)
    chunk.slots[this.#placeAt] = slot
    if (!deleted) {
      chunk.live++
      this.#live++
    }
    return slot
  }

  // Splits a full chunk. Keys often arrive in order, and then the first chunk should stay nearly full.
  #split(): void {
    const chunk = this.#chunks[this.#chunkAt]!
    const middle = this.#placeAt === chunk.count ? chunk.count - spareSize : chunk.count >> 1
    const second = createChunk(chunk.slots.subarray(middle, chunk.count))
    for (let place = 0; place < second.count; place++) second.live += 1 - this.slots.deleted[second.slots[place]!]!
    chunk.count = middle
    chunk.live -= second.live
    this.#chunks.splice(this.#chunkAt + 1, 0, second)
    if (this.#placeAt > middle) {
      this.#chunkAt++
      this.#placeAt -= middle
    }
  }

  // Merges a small chunk with the next one, and drops an empty chunk.
  #shrink(at: number): void {
    const chunk = this.#chunks[at]!
    const next = this.#chunks[at + 1]
    if (chunk.count === 0) this.#chunks.splice(at, 1)
    else if (next !== undefined && chunk.count + next.count <= chunkSize / 4) {
      chunk.slots.set(next.slots.subarray(0, next.count), chunk.count)
      chunk.count += next.count
      chunk.live += next.live
      this.#chunks.splice(at + 1, 1)
    }
  }
}

interface Chunk {
  readonly slots: Uint32Array
  count: number
  live: number
}

const chunkSize = 1024
const lastFinger = 63
const loadedSize = 768
const spareSize = 64

function createChunk(slots: Uint32Array = new Uint32Array()): Chunk {
  const chunk = { slots: new Uint32Array(chunkSize), count: slots.length, live: 0 }
  chunk.slots.set(slots)
  return chunk
}
