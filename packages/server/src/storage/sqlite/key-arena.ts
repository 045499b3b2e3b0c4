/**
 * The bytes of many keys in a few large chunks, so that a million keys are neither a million objects nor garbage. Places
 * are counted in units of 8 bytes; what is let go is used again by keys of about the same length.
 */
export class KeyArena {
  #chunks: Uint8Array[] = []
  /** Units handed out of the newest chunk. */
  #used = unitsInChunk
  /** Free places by their number of units. */
  readonly #free: number[][] = []

  /** Keeps a copy of bytes; returns the place. */
  add(bytes: Uint8Array): number {
    const place = this.#allocate(unitsFor(bytes.length))
    this.#chunks[place >>> chunkShift]!.set(bytes, (place & unitMask) << 3)
    return place
  }

  /** Lets a place be used again. */
  free(place: number, length: number): void {
    const units = unitsFor(length)
    const places = this.#free[units]
    if (places === undefined) this.#free[units] = [place]
    else places.push(place)
  }

  /** The chunk that a place is in, and {@link KeyArena.offsetOf} where: for loops that compare bytes. */
  chunkOf(place: number): Uint8Array {
    return this.#chunks[place >>> chunkShift]!
  }

  /** Where in its chunk a place begins. */
  offsetOf(place: number): number {
    return (place & unitMask) << 3
  }

  /** Bytes of memory held. */
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
