import type { Revision, Tag } from '../../contract.ts'
import { type Key, keyRoom } from '../../key.ts'
import { KeyArena } from './key-arena.ts'

/** Data of each key in columns, indexed by slot. About 25 bytes plus the key. */
export class KeySlots {
  revisions = new Float64Array(initial)
  tags = new Uint32Array(initial)
  sizes = new Uint32Array(initial)
  /** 1 for a deleted key. */
  deleted = new Uint8Array(initial)
  /** Common prefix length of the last two keys compared. */
  common = 0
  readonly #arena = new KeyArena()
  #places = new Uint32Array(initial)
  #lengths = new Uint16Array(initial)
  #free: number[] = []
  #used = 0

  /** Adds a slot for a key. */
  add(key: Uint8Array): number {
    const slot = this.#free.pop() ?? this.#used++
    if (slot >= this.#places.length) this.#grow()
    this.#places[slot] = this.#arena.add(key)
    this.#lengths[slot] = key.length
    return slot
  }

  /** Sets the data of a key. */
  set(slot: number, revision: Revision, tag: Tag, size: number, deleted: boolean): void {
    this.revisions[slot] = revision
    this.tags[slot] = tag
    this.sizes[slot] = size
    this.deleted[slot] = deleted ? 1 : 0
  }

  remove(slot: number): void {
    this.#arena.free(this.#places[slot]!, this.#lengths[slot]!)
    this.#free.push(slot)
  }

  /** Returns a copy of a slot's key. */
  keyOf(slot: number): Key {
    const length = this.#lengths[slot]!
    const place = this.#places[slot]!
    const key = keyRoom(length)
    const offset = this.#arena.offsetOf(place)
    key.set(this.#arena.chunkOf(place).subarray(offset, offset + length))
    return key as unknown as Key
  }

  /** Compares a slot's key with another, given that their first `from` bytes are equal; sets {@link common}. */
  compare(slot: number, key: Uint8Array, from: number): number {
    const place = this.#places[slot]!
    const chunk = this.#arena.chunkOf(place)
    const offset = this.#arena.offsetOf(place)
    const length = this.#lengths[slot]!
    const shorter = Math.min(length, key.length)
    for (let at = from; at < shorter; at++) {
      const difference = chunk[offset + at]! - key[at]!
      if (difference !== 0) {
        this.common = at
        return difference
      }
    }
    this.common = shorter
    return length - key.length
  }

  /** Compares the keys of two slots, given that their first `from` bytes are equal; sets {@link common}. */
  compareSlots(a: number, b: number, from: number): number {
    const [aPlace, bPlace] = [this.#places[a]!, this.#places[b]!]
    const [aChunk, bChunk] = [this.#arena.chunkOf(aPlace), this.#arena.chunkOf(bPlace)]
    const [aOffset, bOffset] = [this.#arena.offsetOf(aPlace), this.#arena.offsetOf(bPlace)]
    const [aLength, bLength] = [this.#lengths[a]!, this.#lengths[b]!]
    const shorter = Math.min(aLength, bLength)
    for (let at = from; at < shorter; at++) {
      const difference = aChunk[aOffset + at]! - bChunk[bOffset + at]!
      if (difference !== 0) {
        this.common = at
        return difference
      }
    }
    this.common = shorter
    return aLength - bLength
  }

  /** Returns the byte of a slot's key at a depth plus one, or 0 when the key is shorter. */
  byteAt(slot: number, depth: number): number {
    if (depth >= this.#lengths[slot]!) return 0
    const place = this.#places[slot]!
    return this.#arena.chunkOf(place)[this.#arena.offsetOf(place) + depth]! + 1
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#arena.bytes + this.#places.length * bytesPerSlot
  }

  #grow(): void {
    const length = Math.ceil(this.#places.length * 1.5)
    this.revisions = grown(this.revisions, new Float64Array(length))
    this.tags = grown(this.tags, new Uint32Array(length))
    this.sizes = grown(this.sizes, new Uint32Array(length))
    this.deleted = grown(this.deleted, new Uint8Array(length))
    this.#places = grown(this.#places, new Uint32Array(length))
    this.#lengths = grown(this.#lengths, new Uint16Array(length))
  }
}

const initial = 1024
const bytesPerSlot = 8 + 4 + 4 + 1 + 4 + 2

function grown<T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
