import { type HeaderField, sizeOfField } from './header-field.ts'
import { staticTable } from './static-table.ts'

/**
 * Encodes header fields without the dynamic table, so that the result is valid on every connection and can be cached.
 */
export function encodeHeaders(fields: readonly HeaderField[]): Uint8Array {
  scratch.begin()
  for (const [name, value] of fields) writePlain(name, value)
  return Uint8Array.from(scratch.bytes())
}

/**
 * Encodes header blocks for one connection. A field is inserted into the peer's dynamic table when first sent and costs
 * one byte afterwards. The table is only filled, never evicted from: when it is full, further fields are sent as
 * literals.
 */
export class HpackEncoder {
  readonly #varying: ReadonlySet<string>
  readonly #positions = new Map<string, Map<string, number>>()
  #count = 0
  #size = 0
  #limit = defaultTable
  /** Dynamic table size updates to send at the start of the next block. */
  #announce: number[] = []

  /** `varying` names fields whose values rarely repeat; they are not inserted into the table. */
  constructor(varying: ReadonlySet<string>) {
    this.#varying = varying
  }

  /** Applies the table size from the peer's SETTINGS. The table is emptied on both sides by announcing size 0 first. */
  limitTable(size: number): void {
    const limit = Math.min(size, defaultTable)
    if (limit === this.#limit) return
    this.#announce = [0, limit]
    this.#limit = limit
    this.#positions.clear()
    this.#count = 0
    this.#size = 0
  }

  /**
   * Starts a block. All encoders share one buffer, so only one block may be in progress in the process until {@link
   * end}.
   */
  begin(): void {
    scratch.begin()
    if (this.#announce.length === 0) return
    for (const limit of this.#announce) scratch.integer(0x20, 0x1f, limit)
    this.#announce = []
  }

  field(name: string, value: string): void {
    const position = this.#positions.get(name)?.get(value)
    if (position !== undefined) scratch.integer(0x80, 0x7f, staticTable.length + this.#count - position)
    else if (this.#varying.has(name)) writePlain(name, value)
    else this.#writeNew(name, value)
  }

  /** Returns the block; its bytes are valid until the next {@link begin}. */
  end(): Uint8Array {
    return scratch.bytes()
  }

  #writeNew(name: string, value: string): void {
    const whole = wholeFields.get(name)?.get(value)
    const size = sizeOfField([name, value])
    if (whole !== undefined) scratch.integer(0x80, 0x7f, whole)
    else if (this.#size + size > this.#limit) writePlain(name, value)
    else {
      writeLiteral(0x40, 0x3f, name, value)
      this.#size += size
      let values = this.#positions.get(name)
      if (values === undefined) {
        values = new Map()
        this.#positions.set(name, values)
      }
      values.set(value, this.#count++)
    }
  }
}

/** Dynamic table size that HTTP/2 prescribes before the first SETTINGS; also the most that is used here. */
const defaultTable = 4096

/** Growing buffer with HPACK's primitive encodings. */
class Scratch {
  #buffer = Buffer.allocUnsafeSlow(4096)
  #length = 0

  begin(): void {
    this.#length = 0
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  integer(mark: number, most: number, value: number): void {
    this.#reserve(6)
    const buffer = this.#buffer
    if (value < most) {
      buffer[this.#length++] = mark | value
      return
    }
    buffer[this.#length++] = mark | most
    for (value -= most; value >= 0x80; value = Math.floor(value / 0x80)) buffer[this.#length++] = (value % 0x80) | 0x80
    buffer[this.#length++] = value
  }

  text(text: string): void {
    this.integer(0x00, 0x7f, text.length)
    this.#reserve(text.length)
    this.#length += this.#buffer.write(text, this.#length, 'latin1')
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow((this.#length + length) * 2)
    larger.set(this.bytes())
    this.#buffer = larger
  }
}

const scratch = new Scratch()
const wholeFields = new Map<string, Map<string, number>>()
const fieldNames = new Map<string, number>()
staticTable.forEach(([name, value], index) => {
  if (!fieldNames.has(name)) fieldNames.set(name, index + 1)
  const values = wholeFields.get(name) ?? new Map<string, number>()
  wholeFields.set(name, values.set(value, index + 1))
})

function writePlain(name: string, value: string): void {
  const whole = wholeFields.get(name)?.get(value)
  if (whole !== undefined) scratch.integer(0x80, 0x7f, whole)
  else writeLiteral(0x00, 0x0f, name, value)
}

function writeLiteral(mark: number, most: number, name: string, value: string): void {
  const known = fieldNames.get(name)
  scratch.integer(mark, most, known ?? 0)
  if (known === undefined) scratch.text(name)
  scratch.text(value)
}
