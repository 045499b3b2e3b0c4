import type { KeySlots } from './key-slots.ts'

/**
 * Sorts slots by key with a most-significant-byte radix sort: keys have long common prefixes, and one look at a byte
 * per key replaces many comparisons.
 */
export function sortSlots(keys: KeySlots, slots: Uint32Array): void {
  const scratch = { slots: new Uint32Array(slots.length), bytes: new Uint16Array(slots.length) }
  sortRange(keys, slots, scratch, 0, slots.length, 0)
}

interface Scratch {
  readonly slots: Uint32Array
  readonly bytes: Uint16Array
}

function sortRange(
  keys: KeySlots,
  slots: Uint32Array,
  scratch: Scratch,
  start: number,
  end: number,
  depth: number,
): void {
  if (end - start <= few) {
    sortFew(keys, slots, start, end, depth)
    return
  }
  const common = commonDepth(keys, slots, start, end, depth)
  const ends = distribute(keys, slots, scratch, start, end, common)
  // Keys are unique, so at most one ends here (byte 0).
  for (let byte = 1, from = ends[0]!; byte <= 256; byte++) {
    const to = ends[byte]!
    if (to - from > 1) sortRange(keys, slots, scratch, from, to, common + 1)
    from = to
  }
}

// Distributes slots by one byte; returns the end position of each byte's slots.
function distribute(
  keys: KeySlots,
  slots: Uint32Array,
  scratch: Scratch,
  start: number,
  end: number,
  depth: number,
): Uint32Array {
  const places = new Uint32Array(258)
  for (let at = start; at < end; at++) {
    const byte = keys.byteAt(slots[at]!, depth)
    scratch.bytes[at] = byte
    places[byte + 1]!++
  }
  places[0] = start
  for (let byte = 1; byte < 258; byte++) places[byte]! += places[byte - 1]!
  for (let at = start; at < end; at++) scratch.slots[places[scratch.bytes[at]!]!++] = slots[at]!
  slots.set(scratch.slots.subarray(start, end), start)
  return places
}

// Length of the common prefix of all keys in the range, which is at least `depth`.
function commonDepth(keys: KeySlots, slots: Uint32Array, start: number, end: number, depth: number): number {
  const first = slots[start]!
  let common = Number.POSITIVE_INFINITY
  for (let at = start + 1; at < end && common > depth; at++) {
    keys.compareSlots(slots[at]!, first, depth)
    if (keys.common < common) common = keys.common
  }
  return common
}

const few = 16

function sortFew(keys: KeySlots, slots: Uint32Array, start: number, end: number, depth: number): void {
  for (let at = start + 1; at < end; at++) {
    const slot = slots[at]!
    let place = at
    for (; place > start && keys.compareSlots(slots[place - 1]!, slot, depth) > 0; place--)
      slots[place] = slots[place - 1]!
    slots[place] = slot
  }
}
