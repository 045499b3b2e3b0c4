import { Http2Error } from './http2-error.ts'
import { huffmanDecode } from './huffman.ts'
import { staticTable } from './static-table.ts'

/** One header field. Names are lower case. */
export type HeaderField = readonly [name: string, value: string]

/** Writes header fields, without touching the table that both sides share: the same fields are the same bytes always. */
export function encodeHeaders(fields: readonly HeaderField[]): Uint8Array {
  const bytes: number[] = []
  for (const [name, value] of fields) {
    const whole = wholeFields.get(`${name}\0${value}`)
    if (whole !== undefined) {
      pushInteger(bytes, 0x80, 7, whole)
      continue
    }
    const known = fieldNames.get(name)
    pushInteger(bytes, 0x00, 4, known ?? 0)
    if (known === undefined) pushText(bytes, name)
    pushText(bytes, value)
  }
  return Uint8Array.from(bytes)
}

/** Reads header fields. Blocks must be given in the order in which they came, since they may build on each other. */
export class HpackDecoder {
  readonly #largestTable: number
  readonly #largestList: number
  #limit: number
  #entries: HeaderField[] = []
  #size = 0
  #memory = new Map<string, HeaderField[]>()

  constructor(options: { readonly largestTable: number; readonly largestList: number }) {
    this.#largestTable = options.largestTable
    this.#largestList = options.largestList
    this.#limit = options.largestTable
  }

  decode(block: Buffer): readonly HeaderField[] {
    // Without a shared table the same bytes are the same fields, and servers repeat themselves a lot.
    const key = this.#limit === 0 && block.length < 256 ? block.toString('latin1') : undefined
    const known = key === undefined ? undefined : this.#memory.get(key)
    if (known !== undefined) return known
    const fields = this.#decode(block)
    if (key !== undefined && this.#limit === 0 && this.#memory.size < 1000) this.#memory.set(key, fields)
    return fields
  }

  #decode(block: Uint8Array): HeaderField[] {
    const cursor = new Cursor(block)
    const fields: HeaderField[] = []
    let size = 0
    while (!cursor.atEnd) {
      const field = this.#field(cursor, fields.length === 0)
      if (field === undefined) continue
      size += sizeOf(field)
      if (size > this.#largestList) throw new Http2Error('ENHANCE_YOUR_CALM', 'the headers are too large')
      fields.push(field)
    }
    return fields
  }

  #field(cursor: Cursor, first: boolean): HeaderField | undefined {
    const byte = cursor.peek()
    if (byte >= 0x80) return this.#lookUp(cursor.integer(7))
    if (byte >= 0x40) {
      const field = this.#literal(cursor, 6)
      this.#insert(field)
      return field
    }
    if (byte < 0x20) return this.#literal(cursor, 4)
    if (!first) throw new Http2Error('COMPRESSION_ERROR', 'the size of the header table changes among headers')
    this.#resize(cursor.integer(5))
    return undefined
  }

  #literal(cursor: Cursor, bits: number): HeaderField {
    const index = cursor.integer(bits)
    const name = index === 0 ? cursor.text() : this.#lookUp(index)[0]
    return [name, cursor.text()]
  }

  #lookUp(index: number): HeaderField {
    const field = index <= staticTable.length ? staticTable[index - 1] : this.#entries[index - staticTable.length - 1]
    if (field === undefined) throw new Http2Error('COMPRESSION_ERROR', `there is no header field ${index}`)
    return field
  }

  #insert(field: HeaderField): void {
    this.#entries.unshift(field)
    this.#size += sizeOf(field)
    this.#evict()
  }

  #resize(limit: number): void {
    if (limit > this.#largestTable) throw new Http2Error('COMPRESSION_ERROR', `a header table of ${limit} is too large`)
    this.#limit = limit
    this.#evict()
  }

  #evict(): void {
    while (this.#size > this.#limit) this.#size -= sizeOf(this.#entries.pop()!)
  }
}

const wholeFields = new Map(staticTable.map(([name, value], index) => [`${name}\0${value}`, index + 1]))
const fieldNames = new Map(staticTable.map(([name], index) => [name, index + 1] as const).reverse())

function sizeOf([name, value]: HeaderField): number {
  return name.length + value.length + 32
}

function pushInteger(bytes: number[], mark: number, bits: number, value: number): void {
  const most = 2 ** bits - 1
  if (value < most) {
    bytes.push(mark | value)
    return
  }
  bytes.push(mark | most)
  for (value -= most; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80)
  bytes.push(value)
}

function pushText(bytes: number[], text: string): void {
  const encoded = Buffer.from(text, 'latin1')
  pushInteger(bytes, 0x00, 7, encoded.length)
  for (const byte of encoded) bytes.push(byte)
}

class Cursor {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#position >= this.#bytes.length
  }

  peek(): number {
    if (this.atEnd) throw new Http2Error('COMPRESSION_ERROR', 'the headers end early')
    return this.#bytes[this.#position]!
  }

  integer(bits: number): number {
    const most = 2 ** bits - 1
    let value = this.#next() & most
    if (value < most) return value
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#next()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new Http2Error('COMPRESSION_ERROR', 'a number in the headers is too large')
  }

  text(): string {
    const huffman = this.peek() >= 0x80
    const length = this.integer(7)
    const start = this.#position
    if (start + length > this.#bytes.length) throw new Http2Error('COMPRESSION_ERROR', 'the headers end early')
    this.#position = start + length
    const bytes = this.#bytes.subarray(start, start + length)
    return huffman ? huffmanDecode(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  }

  #next(): number {
    const byte = this.peek()
    this.#position++
    return byte
  }
}
