/**
 * A set of strings that stores only 64-bit hashes, about 16 bytes per string instead of a hundred. `has` may, very rarely, return true for
 * a string that wasn't added, so use it only where a false positive costs work but not correctness.
 */
export class HashedStringSet {
  #slots = new Uint32Array(2 * 64)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(text: string): boolean {
    const [high, low] = hashOf(text)
    const at = this.#slotOf(high, low)
    return this.#slots[at] !== 0 || this.#slots[at + 1] !== 0
  }

  add(text: string): void {
    const [high, low] = hashOf(text)
    const at = this.#slotOf(high, low)
    if (this.#slots[at] !== 0 || this.#slots[at + 1] !== 0) return
    this.#slots[at] = high
    this.#slots[at + 1] = low
    if (++this.#size * 4 > this.#slots.length) this.#grow()
  }

  // Open addressing with linear probing: returns the slot of a hash, or the first empty one after it.
  #slotOf(high: number, low: number): number {
    const mask = this.#slots.length - 1
    let at = (low << 1) & mask
    while (
      (this.#slots[at] !== high || this.#slots[at + 1] !== low) &&
      (this.#slots[at] !== 0 || this.#slots[at + 1] !== 0)
    )
      at = (at + 2) & mask
    return at
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(2 * old.length)
    for (let from = 0; from < old.length; from += 2) {
      const [high, low] = [old[from]!, old[from + 1]!]
      if (high === 0 && low === 0) continue
      const at = this.#slotOf(high, low)
      this.#slots[at] = high
      this.#slots[at + 1] = low
    }
  }
}

// Two 32-bit hashes with different multipliers (FNV-1a and MurmurHash2's), each with MurmurHash3's finalizer. Two zeros mark an empty slot.
function hashOf(text: string): readonly [high: number, low: number] {
  let high = 0x811c9dc5
  let low = 0x9747b28c
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x5bd1e995)
    low ^= low >>> 15
  }
  return [mixed(high), mixed(low) || 1]
}

function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16)
  bits = Math.imul(bits, 0x85ebca6b)
  bits ^= bits >>> 13
  bits = Math.imul(bits, 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
