import { normalText } from './normal-text.ts'
import { ValueError } from './value-error.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads msgpack values. Never reads past the end of its input; every error is a ValueError. */
export class MsgpackReader {
  readonly #bytes: Uint8Array
  #dataView: DataView | undefined
  #position = 0
  // Elements of arrays, members of maps and attributes of types read so far.
  #elements = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get remaining(): number {
    return this.#bytes.length - this.#position
  }

  /** Returns the first byte of the next value, which determines its format. */
  peek(): number {
    if (this.#position >= this.#bytes.length) throw new ValueError('the value ends early', [])
    return this.#bytes[this.#position]!
  }

  /** Consumes a nil if it is next. */
  nil(): boolean {
    if (this.peek() !== 0xc0) return false
    this.#position++
    return true
  }

  /** True when an extension is next. */
  get isExtension(): boolean {
    const code = this.peek()
    return (code >= 0xd4 && code <= 0xd8) || (code >= 0xc7 && code <= 0xc9)
  }

  /** True when a value other than nil or an extension is next. */
  get isPresent(): boolean {
    const code = this.peek()
    return code < 0xc0 || code > 0xd8 || (code !== 0xc0 && !this.isExtension)
  }

  /** Consumes exactly these bytes if they are next. */
  takeBytes(expected: Uint8Array): boolean {
    const bytes = this.#bytes
    const start = this.#position
    for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false
    this.#position = start + expected.length
    return true
  }

  bool(): boolean {
    const code = this.peek()
    if (code !== 0xc2 && code !== 0xc3) throw new ValueError('a bool is required', [])
    this.#position++
    return code === 0xc3
  }

  /** Reads a number in any msgpack format; undefined when the next value is not a number. */
  number(): number | bigint | undefined {
    const code = this.peek()
    if (code < 0x80) {
      this.#position++
      return code
    }
    if (code >= 0xe0) {
      this.#position++
      return code - 0x100
    }
    if (code < 0xca || code > 0xd3) return undefined
    this.#position++
    return this.#sizedNumber(code)
  }

  /** Reads a string or binary value without normalization. */
  string(required = 'a string is required'): string {
    const length = this.#byteLength(required)
    const start = this.#take(length)
    const end = start + length
    return this.#asciiText(start, end) ?? utf8.decode(this.#bytes.subarray(start, end))
  }

  /** Reads a string and normalizes it to NFC, the form in which values are compared. */
  text(required = 'a string is required'): string {
    const length = this.#byteLength(required)
    const start = this.#take(length)
    const end = start + length
    return this.#asciiText(start, end) ?? normalText(utf8.decode(this.#bytes.subarray(start, end)))
  }

  /** Reads the text of a type. An attribute takes at least eight characters, and counts as an element. */
  typeText(required: string): string {
    const text = this.string(required)
    this.#count(text.length >> 3)
    return text
  }

  arrayHeader(required: string): number {
    const code = this.peek()
    if (code >= 0x90 && code <= 0x9f) return this.#header(code & 0x0f)
    if (code === 0xdc || code === 0xdd) return this.#longHeader(code === 0xdc ? 2 : 4)
    throw new ValueError(required, [])
  }

  mapHeader(required: string): number {
    const code = this.peek()
    if (code >= 0x80 && code <= 0x8f) return this.#header(code & 0x0f)
    if (code === 0xde || code === 0xdf) return this.#longHeader(code === 0xde ? 2 : 4)
    throw new ValueError(required, [])
  }

  /** Reads an extension; `body` is a view of the input. */
  extension(): { readonly type: number; readonly body: Uint8Array } {
    const code = this.peek()
    this.#position++
    const length = code >= 0xd4 ? 1 << (code - 0xd4) : this.#unsigned(1 << (code - 0xc7))
    const type = this.#view.getInt8(this.#take(1))
    const start = this.#take(length)
    return { type, body: this.#bytes.subarray(start, start + length) }
  }

  /** Skips the next value of any format. */
  skip(depth = 100): void {
    if (depth === 0) throw new ValueError('the value is nested too deeply', [])
    const code = this.peek()
    if (code === 0xc0 || code === 0xc2 || code === 0xc3) this.#position++
    else if (this.isExtension) this.extension()
    else if (isArrayCode(code)) for (let left = this.arrayHeader(''); left > 0; left--) this.skip(depth - 1)
    else if (isMapCode(code)) for (let left = this.mapHeader('') * 2; left > 0; left--) this.skip(depth - 1)
    else if (this.number() === undefined) this.#take(this.#byteLength(`${code} starts no value`))
  }

  // Created lazily: most values need no DataView.
  get #view(): DataView {
    this.#dataView ??= new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength)
    return this.#dataView
  }

  #sizedNumber(code: number): number | bigint {
    switch (code) {
      case 0xca:
        return this.#view.getFloat32(this.#take(4))
      case 0xcb:
        return this.#view.getFloat64(this.#take(8))
      case 0xcf:
        return narrow(this.#view.getBigUint64(this.#take(8)))
      case 0xd0:
        return this.#view.getInt8(this.#take(1))
      case 0xd1:
        return this.#view.getInt16(this.#take(2))
      case 0xd2:
        return this.#view.getInt32(this.#take(4))
      case 0xd3:
        return narrow(this.#view.getBigInt64(this.#take(8)))
      default:
        return this.#unsigned(1 << (code - 0xcc))
    }
  }

  #byteLength(required: string): number {
    const code = this.peek()
    if (code >= 0xa0 && code <= 0xbf) {
      this.#position++
      return code & 0x1f
    }
    const size = stringSizes.get(code)
    if (size === undefined) throw new ValueError(required, [])
    this.#position++
    return this.#unsigned(size)
  }

  #header(length: number): number {
    this.#position++
    return this.#checkedLength(length)
  }

  #longHeader(size: number): number {
    this.#position++
    return this.#checkedLength(this.#unsigned(size))
  }

  // Each element takes at least one byte, so a length above the remaining bytes is invalid. This bounds allocations by
  // the input's size.
  #checkedLength(length: number): number {
    if (length > this.remaining) throw new ValueError('the value ends early', [])
    this.#count(length)
    return length
  }

  #count(elements: number): void {
    this.#elements += elements
    if (this.#elements > mostElements) throw new ValueError(`it has more than ${mostElements} elements`, [])
  }

  #unsigned(size: number): number {
    const start = this.#take(size)
    return size === 1 ? this.#bytes[start]! : size === 2 ? this.#view.getUint16(start) : this.#view.getUint32(start)
  }

  #take(length: number): number {
    const start = this.#position
    if (start + length > this.#bytes.length) throw new ValueError('the value ends early', [])
    this.#position = start + length
    return start
  }

  // Most strings are short ASCII, for which a loop is faster than TextDecoder.
  #asciiText(start: number, end: number): string | undefined {
    if (end - start > 40) return undefined
    const bytes = this.#bytes
    let text = ''
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!
      if (byte >= 0x80) return undefined
      text += String.fromCharCode(byte)
    }
    return text
  }
}

// Decoding, comparing and storing a value of this size takes about 50 ms each. A nil is one byte, so a message just below
// the size limit could hold millions.
const mostElements = 100_000

const stringSizes: ReadonlyMap<number, number> = new Map([
  [0xd9, 1],
  [0xda, 2],
  [0xdb, 4],
  [0xc4, 1],
  [0xc5, 2],
  [0xc6, 4],
])

function isArrayCode(code: number): boolean {
  return (code >= 0x90 && code <= 0x9f) || code === 0xdc || code === 0xdd
}

function isMapCode(code: number): boolean {
  return (code >= 0x80 && code <= 0x8f) || code === 0xde || code === 0xdf
}

function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
