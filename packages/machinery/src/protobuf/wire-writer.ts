const utf8 = new TextEncoder()

/** Writes the primitives of the wire format into a growing buffer. */
export class WireWriter {
  #bytes = new Uint8Array(256)
  #dataView: DataView | undefined
  #length = 0

  /** Returns the bytes written so far, as a view into the writer's buffer: copy it before the next write. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Discards the content, so that the writer can be reused. A buffer that has grown large is released. */
  reset(): void {
    this.#length = 0
    if (this.#bytes.length <= largestKept) return
    this.#bytes = new Uint8Array(256)
    this.#dataView = undefined
  }

  tag(number: number, wireType: number): void {
    this.uint32(((number << 3) | wireType) >>> 0)
  }

  uint32(value: number): void {
    this.#reserve(5)
    const bytes = this.#bytes
    while (value > 0x7f) {
      bytes[this.#length++] = (value & 0x7f) | 0x80
      value >>>= 7
    }
    bytes[this.#length++] = value
  }

  /** Writes a negative number as ten bytes, sign-extended to 64 bits, as protobuf prescribes for int32. */
  int32(value: number): void {
    if (value >= 0) this.uint32(value)
    else this.varint64(BigInt.asUintN(64, BigInt(value)))
  }

  /** Writes a varint of up to 64 bits, given as its unsigned representation. */
  varint64(value: bigint): void {
    this.#reserve(10)
    while (value > 0x7fn) {
      this.#bytes[this.#length++] = Number(value & 0x7fn) | 0x80
      value >>= 7n
    }
    this.#bytes[this.#length++] = Number(value)
  }

  fixed32(value: number): void {
    const start = this.#take(4)
    this.#view.setUint32(start, value, true)
  }

  fixed64(value: bigint): void {
    const start = this.#take(8)
    this.#view.setBigUint64(start, BigInt.asUintN(64, value), true)
  }

  float(value: number): void {
    const start = this.#take(4)
    this.#view.setFloat32(start, value, true)
  }

  double(value: number): void {
    const start = this.#take(8)
    this.#view.setFloat64(start, value, true)
  }

  string(value: string): void {
    if (value.length < 64 && this.#shortText(value)) return
    const mark = this.begin()
    this.text(value)
    this.end(mark)
  }

  // Names and short values are nearly always ASCII; for those a loop is faster than a call to TextEncoder. Returns false,
  // with nothing written, for any other character.
  #shortText(value: string): boolean {
    this.#reserve(value.length + 1)
    const bytes = this.#bytes
    const start = this.#length + 1
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i)
      if (unit >= 0x80) return false
      bytes[start + i] = unit
    }
    bytes[this.#length] = value.length
    this.#length = start + value.length
    return true
  }

  byteString(value: Uint8Array): void {
    this.uint32(value.length)
    this.raw(value)
  }

  /** Writes UTF-8 without its length. */
  text(value: string): void {
    this.#reserve(value.length * 3)
    this.#length += utf8.encodeInto(value, this.#bytes.subarray(this.#length)).written
  }

  /** Writes bytes without their length. */
  raw(value: Uint8Array): void {
    // Before `this.#bytes` is read: #take may replace the buffer.
    const start = this.#take(value.length)
    this.#bytes.set(value, start)
  }

  /** Starts a length-delimited value; pass the result to `end`. */
  begin(): number {
    return this.#take(1)
  }

  // `begin` reserves one byte for the length. A value of 128 bytes or more is moved to make room for a longer length, which
  // is rare and still faster than measuring every value first.
  end(mark: number): void {
    const length = this.#length - mark - 1
    if (length < 0x80) {
      this.#bytes[mark] = length
      return
    }
    const extra = length < 0x4000 ? 1 : length < 0x200000 ? 2 : length < 0x10000000 ? 3 : 4
    this.#reserve(extra)
    this.#bytes.copyWithin(mark + 1 + extra, mark + 1, this.#length)
    const after = this.#length + extra
    this.#length = mark
    this.uint32(length)
    this.#length = after
  }

  #take(length: number): number {
    this.#reserve(length)
    const start = this.#length
    this.#length += length
    return start
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
    this.#dataView = undefined
  }

  // Created on first use, and again after the buffer is replaced: most messages have no fixed-width fields.
  get #view(): DataView {
    this.#dataView ??= new DataView(this.#bytes.buffer)
    return this.#dataView
  }
}

/** The largest buffer, in bytes, that a reused writer keeps. */
const largestKept = 1 << 20
