/** A DER value: tag and content. */
export interface DerValue {
  readonly tag: number
  readonly content: Uint8Array
}

/** Thrown for malformed DER. */
export class DerError extends Error {
  constructor(what: string) {
    super(`cannot read DER: ${what}`)
    this.name = 'DerError'
  }
}

/** Reads consecutive values. */
export function readAll(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const { value, next } = readAt(bytes, at)
    values.push(value)
    at = next
  }
  return values
}

/** Reads exactly one value. */
export function readOne(bytes: Uint8Array): DerValue {
  const { value, next } = readAt(bytes, 0)
  if (next !== bytes.length) throw new DerError('bytes after the value')
  return value
}

/** Reads the values inside a structure with this tag. */
export function childrenOf(value: DerValue | undefined, tag: number): DerValue[] {
  if (value?.tag !== tag) throw new DerError(`tag ${value?.tag ?? 'none'} where ${tag} belongs`)
  return readAll(value.content)
}

/** Returns an object identifier in dotted form. */
export function identifierOf(value: DerValue | undefined): string {
  if (value?.tag !== 0x06 || value.content.length === 0) throw new DerError('not an object identifier')
  const numbers: number[] = []
  let number = 0
  for (const byte of value.content) {
    number = number * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      numbers.push(number)
      number = 0
    }
  }
  const first = Math.min(2, Math.floor(numbers[0]! / 40))
  return [first, numbers[0]! - first * 40, ...numbers.slice(1)].join('.')
}

/** Returns the text of any of the string types used in names. */
export function textOf(value: DerValue | undefined): string {
  switch (value?.tag) {
    case 0x0c: // UTF8String
      return decodeUtf8(value.content)
    case 0x13: // PrintableString
    case 0x16: // IA5String
      return decodeAscii(value.content)
    case 0x1e: // BMPString
      return Buffer.from(value.content).swap16().toString('utf16le')
    default:
      throw new DerError(`tag ${value?.tag ?? 'none'} is not a string type`)
  }
}

function readAt(bytes: Uint8Array, at: number): { value: DerValue; next: number } {
  const tag = bytes[at]
  if (tag === undefined) throw new DerError('a value is missing')
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag of several bytes')
  const { length, start } = lengthAt(bytes, at + 1)
  if (start + length > bytes.length) throw new DerError('a value exceeds its structure')
  return { value: { tag, content: bytes.subarray(start, start + length) }, next: start + length }
}

function lengthAt(bytes: Uint8Array, at: number): { length: number; start: number } {
  const first = bytes[at]
  if (first === undefined) throw new DerError('no length')
  if (first < 0x80) return { length: first, start: at + 1 }
  const count = first & 0x7f
  if (count === 0 || count > 4 || at + count >= bytes.length) throw new DerError('an unsupported form of length')
  let length = 0
  for (let index = 1; index <= count; index++) length = length * 256 + bytes[at + index]!
  return { length, start: at + 1 + count }
}

function decodeUtf8(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    throw new DerError('text that is not UTF-8')
  }
}

function decodeAscii(content: Uint8Array): string {
  if (content.some((byte) => byte >= 0x80)) throw new DerError('text that is not ASCII')
  return Buffer.from(content).toString('latin1')
}
