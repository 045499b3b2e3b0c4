import type { KeySlots } from './key-slots.ts'

/**
 * Sorts slots by their keys. Byte by byte from the front, since keys share long beginnings: one look at a byte of each key
 * replaces the many comparisons that a general sort makes.
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
  // Keys are unique, so that those which end here (byte 0) are one at most.
  for (let byte = 1, from = ends[0]!; byte <= 256; byte++) {
    const to = ends[byte]!
    if (to - from > 1) sortRange(keys, slots, scratch, from, to, common + 1)
    from = to
  }
}

// Moves slots into the order of one byte; returns where each byte's slots end.
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

// How far all keys of the range are the same, from a depth to which they are known to be.
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
