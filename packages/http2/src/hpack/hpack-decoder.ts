import { Http2Error } from '../frames/index.ts'
import { type HeaderField, sizeOfField } from './header-field.ts'
import { huffmanDecode } from './huffman.ts'
import { staticTable } from './static-table.ts'

export interface HpackDecoderOptions {
  /** Maximum size of the dynamic table in bytes; larger size updates are rejected. */
  readonly largestTable: number
  /** Maximum decoded size of a block. Each field counts 32 bytes extra, so this bounds the number of fields too. */
  readonly largestList: number
}

/**
 * Decodes HPACK header blocks (RFC 7541) of one connection. Blocks must be decoded in the order they arrived, because
 * each may change the dynamic table.
 */
export class HpackDecoder {
  readonly #largestTable: number
  readonly #largestList: number
  readonly #memory = new Map<string, HeaderField[]>()
  #limit: number
  /** Dynamic table, oldest entry first. Entries below `#oldest` are evicted and dropped in bulk. */
  #entries: HeaderField[] = []
  #oldest = 0
  #size = 0
  #bytes: Buffer = nothing
  #position = 0
  #end = 0

  constructor(options: HpackDecoderOptions) {
    this.#largestTable = options.largestTable
    this.#largestList = options.largestList
    this.#limit = options.largestTable
  }

  /** Decodes one block from all or a part of the bytes. */
  decode(bytes: Buffer, start = 0, end = bytes.length): readonly HeaderField[] {
    // Without a dynamic table equal bytes decode to equal fields, and peers repeat most blocks. Small blocks are cached
    // whole.
    const key = this.#limit === 0 && end - start < 256 ? bytes.toString('latin1', start, end) : undefined
    const known = key === undefined ? undefined : this.#memory.get(key)
    if (known !== undefined) return known
    this.#bytes = bytes
    this.#position = start
    this.#end = end
    const fields = this.#fields()
    this.#bytes = nothing
    // The limit is checked again: the block itself may have enlarged the table.
    if (key !== undefined && this.#limit === 0 && this.#memory.size < 1000) this.#memory.set(key, fields)
    return fields
  }

  #fields(): HeaderField[] {
    const fields: HeaderField[] = []
    let size = 0
    while (this.#position < this.#end) {
      const field = this.#field(fields.length === 0)
      if (field === undefined) continue
      size += sizeOfField(field)
      if (size > this.#largestList) throw new Http2Error('ENHANCE_YOUR_CALM', 'the headers are too large')
      fields.push(field)
    }
    return fields
  }

  #field(first: boolean): HeaderField | undefined {
    const byte = this.#bytes[this.#position]!
    if (byte >= 0x80) return this.#lookUp(this.#integer(0x7f))
    if (byte >= 0x40) {
      const field = this.#literal(0x3f)
      this.#insert(field)
      return field
    }
    if (byte < 0x20) return this.#literal(0x0f)
    if (!first) throw new Http2Error('COMPRESSION_ERROR', 'the size of the header table changes among headers')
    this.#resize(this.#integer(0x1f))
    return undefined
  }

  #literal(mask: number): HeaderField {
    const index = this.#integer(mask)
    const name = index === 0 ? this.#text() : this.#lookUp(index)[0]
    return [name, this.#text()]
  }

  #lookUp(index: number): HeaderField {
    const field = index <= staticTable.length ? staticTable[index - 1] : this.#shared(index - staticTable.length)
    if (field === undefined) throw new Http2Error('COMPRESSION_ERROR', `there is no header field ${index}`)
    return field
  }

  // Entries are indexed from the newest, which is 1.
  #shared(age: number): HeaderField | undefined {
    const at = this.#entries.length - age
    return at < this.#oldest ? undefined : this.#entries[at]
  }

  #insert(field: HeaderField): void {
    this.#entries.push(field)
    this.#size += sizeOfField(field)
    this.#evict()
  }

  #resize(limit: number): void {
    if (limit > this.#largestTable) throw new Http2Error('COMPRESSION_ERROR', `a header table of ${limit} is too large`)
    this.#limit = limit
    this.#evict()
  }

  #evict(): void {
    while (this.#size > this.#limit) this.#size -= sizeOfField(this.#entries[this.#oldest++]!)
    if (this.#oldest < 256) return
    this.#entries = this.#entries.slice(this.#oldest)
    this.#oldest = 0
  }

  #integer(mask: number): number {
    let value = this.#next() & mask
    if (value < mask) return value
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#next()
      value += (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new Http2Error('COMPRESSION_ERROR', 'a number in the headers is too large')
  }

  #text(): string {
    if (this.#position >= this.#end) throw endsEarly()
    const huffman = this.#bytes[this.#position]! >= 0x80
    const length = this.#integer(0x7f)
    const start = this.#position
    this.#position = start + length
    if (this.#position > this.#end) throw endsEarly()
    return huffman
      ? huffmanDecode(this.#bytes, start, this.#position)
      : this.#bytes.toString('latin1', start, this.#position)
  }

  #next(): number {
    if (this.#position >= this.#end) throw endsEarly()
    return this.#bytes[this.#position++]!
  }
}

const nothing = Buffer.alloc(0)

function endsEarly(): Http2Error {
  return new Http2Error('COMPRESSION_ERROR', 'the headers end early')
}
