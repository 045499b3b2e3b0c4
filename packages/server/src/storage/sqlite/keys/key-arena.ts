/**
 * Stores the bytes of many keys in a few large chunks, so that a million keys are neither a million objects nor work
 * for the garbage collector. Addresses are in units of 8 bytes; freed space is reused by keys of about the same length.
 */
export class KeyArena {
  #chunks: Uint8Array[] = []
  /** Units used in the newest chunk. */
  #used = unitsInChunk
  /** Free addresses by number of units. */
  readonly #free: number[][] = []

  /** Copies bytes; returns their address. */
  add(bytes: Uint8Array): number {
    const place = this.#allocate(unitsFor(bytes.length))
    this.#chunks[place >>> chunkShift]!.set(bytes, (place & unitMask) << 3)
    return place
  }

  /** Frees an address. */
  free(place: number, length: number): void {
    const units = unitsFor(length)
    const places = this.#free[units]
    if (places === undefined) this.#free[units] = [place]
    else places.push(place)
  }

  /** Chunk of an address; with {@link KeyArena.offsetOf} for loops that compare bytes. */
  chunkOf(place: number): Uint8Array {
    return this.#chunks[place >>> chunkShift]!
  }

  /** Offset of an address in its chunk. */
  offsetOf(place: number): number {
    return (place & unitMask) << 3
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#chunks.length * unitsInChunk * 8
  }

  #allocate(units: number): number {
    const reused = this.#free[units]?.pop()
    if (reused !== undefined) return reused
    if (this.#used + units > unitsInChunk) {
      this.#chunks.push(new Uint8Array(unitsInChunk * 8))
      this.#used = 0
    }
    const place = (this.#chunks.length - 1) * unitsInChunk + this.#used
    this.#used += units
    return place
  }
}

const chunkShift = 17
const unitsInChunk = 1 << chunkShift
const unitMask = unitsInChunk - 1

function unitsFor(length: number): number {
  return (length + 7) >>> 3
}
