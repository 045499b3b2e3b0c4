import { ProtobufError } from './protobuf-error.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads the primitives of the wire format, never past `end`; also holds the remaining limits of the decoding. */
export class WireReader {
  readonly bytes: Uint8Array
  #dataView: DataView | undefined
  position: number
  /** The end of the message being read; callers narrow it for a nested message and restore it afterwards. */
  end: number
  /** How many levels deeper messages may be nested. */
  depth: number
  /** How many more messages may be read. */
  messages: number
  /** How many more entries of maps and of lists of scalars may be read. */
  entries = Number.POSITIVE_INFINITY

  constructor(bytes: Uint8Array, maxDepth: number, maxMessages: number) {
    this.bytes = bytes
    this.position = 0
    this.end = bytes.length
    this.depth = maxDepth
    this.messages = maxMessages
  }

  /** Reads a varint truncated to 32 bits, as for int32, uint32, enums, tags and lengths. Unrolled: the hottest function. */
  uint32(): number {
    const { bytes } = this
    let byte = this.#next(bytes)
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    byte = this.#next(bytes)
    value |= (byte & 0x7f) << 7
    if (byte < 0x80) return value
    byte = this.#next(bytes)
    value |= (byte & 0x7f) << 14
    if (byte < 0x80) return value
    byte = this.#next(bytes)
    value |= (byte & 0x7f) << 21
    if (byte < 0x80) return value
    byte = this.#next(bytes)
    value |= (byte & 0x0f) << 28
    for (let extra = 0; byte >= 0x80; extra++) {
      if (extra === 5) throw new ProtobufError('varint of more than 10 bytes')
      byte = this.#next(bytes)
    }
    return value >>> 0
  }

  int32(): number {
    return this.uint32() | 0
  }

  sint32(): number {
    const value = this.uint32()
    return (value >>> 1) ^ -(value & 1)
  }

  bool(): boolean {
    const value = this.#varint64()
    return value !== 0 && value !== 0n
  }

  uint64(): number | bigint {
    const value = this.#varint64()
    return typeof value === 'number' ? value : narrow(value)
  }

  int64(): number | bigint {
    const value = this.#varint64()
    return typeof value === 'number' ? value : narrow(BigInt.asIntN(64, value))
  }

  sint64(): number | bigint {
    const value = BigInt(this.#varint64())
    return narrow((value >> 1n) ^ -(value & 1n))
  }

  fixed32(): number {
    return this.#view.getUint32(this.#take(4), true)
  }

  sfixed32(): number {
    return this.#view.getInt32(this.#take(4), true)
  }

  fixed64(): number | bigint {
    return narrow(this.#view.getBigUint64(this.#take(8), true))
  }

  sfixed64(): number | bigint {
    return narrow(this.#view.getBigInt64(this.#take(8), true))
  }

  float(): number {
    return this.#view.getFloat32(this.#take(4), true)
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true)
  }

  /** Reads the length of a length-delimited value and returns the position of its end. */
  lengthDelimited(): number {
    const length = this.uint32()
    const end = this.position + length
    if (end > this.end) throw new ProtobufError(`length ${length} at ${this.position} reaches past the end`)
    return end
  }

  string(): string {
    const end = this.lengthDelimited()
    const start = this.position
    this.position = end
    return end - start < 32 ? shortString(this.bytes, start, end) : utf8.decode(this.bytes.subarray(start, end))
  }

  /** Returns a copy, so that a small value does not keep a large request in memory. */
  byteString(): Uint8Array {
    const end = this.lengthDelimited()
    // Not `this.bytes.slice`: Buffer overrides it to return a view.
    const value = new Uint8Array(this.bytes.subarray(this.position, end))
    this.position = end
    return value
  }

  /** Returns a view into the message, for callers that consume it immediately. */
  byteView(): Uint8Array {
    const end = this.lengthDelimited()
    const value = this.bytes.subarray(this.position, end)
    this.position = end
    return value
  }

  /** Skips the value of an unknown field. */
  skip(wireType: number, number: number): void {
    switch (wireType) {
      case 0:
        this.uint32()
        return
      case 1:
        this.#take(8)
        return
      case 2:
        this.position = this.lengthDelimited()
        return
      case 3:
        this.#skipGroup(number)
        return
      case 5:
        this.#take(4)
        return
      default:
        throw new ProtobufError(`wire type ${wireType} of field ${number} is not known`)
    }
  }

  // Groups are deprecated but still valid on the wire; they nest, so they count towards the depth.
  #skipGroup(number: number): void {
    if (this.depth-- <= 0) throw new ProtobufError('messages are nested too deeply')
    for (;;) {
      const tag = this.uint32()
      if ((tag & 7) === 4) {
        if (tag >>> 3 !== number) throw new ProtobufError(`group ${number} ends as ${tag >>> 3}`)
        break
      }
      this.skip(tag & 7, tag >>> 3)
    }
    this.depth++
  }

  // Created on first use: most messages have no fixed-width fields.
  get #view(): DataView {
    this.#dataView ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength)
    return this.#dataView
  }

  #next(bytes: Uint8Array): number {
    if (this.position >= this.end) throw new ProtobufError('the message ends in the middle of a field')
    return bytes[this.position++]!
  }

  #take(length: number): number {
    const start = this.position
    if (start + length > this.end) throw new ProtobufError('the message ends in the middle of a field')
    this.position = start + length
    return start
  }

  // Returns a number for values of up to 28 bits, which avoids a bigint for nearly all values.
  #varint64(): number | bigint {
    const { bytes } = this
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#next(bytes)
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) return low
    }
    let value = BigInt(low)
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#next(bytes)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new ProtobufError('varint of more than 10 bytes')
  }
}

// Returns a number when a double represents the integer exactly.
function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

// Names and short values are nearly always ASCII; for up to 32 bytes a loop is faster than a call to TextDecoder.
function shortString(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if (byte >= 0x80) return utf8.decode(bytes.subarray(start, end))
    text += String.fromCharCode(byte)
  }
  return text
}
