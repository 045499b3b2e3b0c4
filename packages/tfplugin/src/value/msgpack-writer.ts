import { normalText } from './normal-text.ts'

const utf8 = new TextEncoder()

/** Writes msgpack values, each in its shortest format, into a growing buffer. */
export class MsgpackWriter {
  #bytes = new Uint8Array(512)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** Returns a copy of the written bytes and resets the writer. */
  take(): Uint8Array {
    const written = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return written
  }

  /** Discards the written bytes. */
  reset(): void {
    this.#length = 0
  }

  nil(): void {
    this.#byte(0xc0)
  }

  bool(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2)
  }

  /** Writes an integer in the safe range of a double. */
  integer(value: number): void {
    if (value >= 0 && value < 0x80) this.#byte(value)
    else if (value >= 0) this.#unsigned(value)
    else if (value >= -0x20) this.#byte(value & 0xff)
    else this.#negative(value)
  }

  /** Writes a 64-bit integer. */
  integer64(value: bigint): void {
    this.#byte(value < 0n ? 0xd3 : 0xcf)
    const start = this.#take(8)
    this.#view.setBigInt64(start, value)
  }

  double(value: number): void {
    this.#byte(0xcb)
    const start = this.#take(8)
    this.#view.setFloat64(start, value)
  }

  string(value: string): void {
    // Reserves for the worst case, encodes behind a header of guessed size, and moves the text when the guess was
    // wrong.
    this.#reserve(5 + value.length * 3)
    const start = this.#length
    const guess = value.length < 11 ? 1 : value.length < 86 ? 2 : value.length < 21846 ? 3 : 5
    const written = utf8.encodeInto(value, this.#bytes.subarray(start + guess)).written
    const header = written < 32 ? 1 : written < 0x100 ? 2 : written < 0x10000 ? 3 : 5
    if (header !== guess) this.#bytes.copyWithin(start + header, start + guess, start + guess + written)
    this.#stringHeader(written)
    this.#length = start + header + written
  }

  /** Writes a string normalized to NFC, the form in which values are compared. */
  text(value: string): void {
    if (!this.#asciiText(value)) this.string(normalText(value))
  }

  binary(value: Uint8Array): void {
    this.#sized(value.length, 0xc4, 0xc5, 0xc6)
    this.raw(value)
  }

  arrayHeader(length: number): void {
    if (length < 16) this.#byte(0x90 | length)
    else this.#sized(length, undefined, 0xdc, 0xdd)
  }

  mapHeader(length: number): void {
    if (length < 16) this.#byte(0x80 | length)
    else this.#sized(length, undefined, 0xde, 0xdf)
  }

  /** Writes an extension of up to 64 KiB. */
  extension(type: number, body: Uint8Array): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(body.length)
    if (fixed >= 0) this.#byte(0xd4 + fixed)
    else this.#sized(body.length, 0xc7, 0xc8, 0xc9)
    this.#byte(type)
    this.raw(body)
  }

  /** Copies bytes without a header. */
  raw(value: Uint8Array): void {
    const start = this.#take(value.length)
    this.#bytes.set(value, start)
  }

  // Most strings are short ASCII, for which a loop is faster than TextEncoder.
  #asciiText(value: string): boolean {
    const { length } = value
    if (length > 40) return false
    this.#reserve(2 + length)
    const bytes = this.#bytes
    let at = this.#length
    if (length < 32) bytes[at++] = 0xa0 | length
    else {
      bytes[at++] = 0xd9
      bytes[at++] = length
    }
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i)
      if (code >= 0x80) return false
      bytes[at++] = code
    }
    this.#length = at
    return true
  }

  #stringHeader(length: number): void {
    if (length < 32) this.#byte(0xa0 | length)
    else this.#sized(length, 0xd9, 0xda, 0xdb)
  }

  #unsigned(value: number): void {
    if (value < 0x100) this.#two(0xcc, value)
    else if (value < 0x10000) {
      this.#byte(0xcd)
      const start = this.#take(2)
      this.#view.setUint16(start, value)
    } else if (value < 0x100000000) {
      this.#byte(0xce)
      const start = this.#take(4)
      this.#view.setUint32(start, value)
    } else this.integer64(BigInt(value))
  }

  #negative(value: number): void {
    if (value >= -0x80) this.#two(0xd0, value & 0xff)
    else if (value >= -0x8000) {
      this.#byte(0xd1)
      const start = this.#take(2)
      this.#view.setInt16(start, value)
    } else if (value >= -0x80000000) {
      this.#byte(0xd2)
      const start = this.#take(4)
      this.#view.setInt32(start, value)
    } else this.integer64(BigInt(value))
  }

  #sized(length: number, one: number | undefined, two: number, four: number): void {
    if (one !== undefined && length < 0x100) this.#two(one, length)
    else if (length < 0x10000) {
      this.#byte(two)
      const start = this.#take(2)
      this.#view.setUint16(start, length)
    } else {
      this.#byte(four)
      const start = this.#take(4)
      this.#view.setUint32(start, length)
    }
  }

  #byte(value: number): void {
    const start = this.#take(1)
    this.#bytes[start] = value
  }

  #two(first: number, second: number): void {
    const start = this.#take(2)
    this.#bytes[start] = first
    this.#bytes[start + 1] = second
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
    this.#view = new DataView(larger.buffer)
  }
}
