/** Distinguished Encoding Rules, as far as certificates need them: small functions that each give the bytes of one value. */

/** Type, algorithm or extension by number, such as `2.5.4.3`. */
export type ObjectIdentifier = string

/** Encodes a value with a tag: tag, length, content. */
export function tagged(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(contents)
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(content.length)), content])
}

/** Encodes a SEQUENCE. */
export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return tagged(0x30, ...items)
}

/** Encodes a SET; DER sorts its values by their bytes. */
export function setOf(...items: readonly Uint8Array[]): Uint8Array {
  return tagged(0x31, ...items.toSorted(Buffer.compare))
}

/** Encodes a non-negative INTEGER from its big-endian bytes. */
export function unsignedInteger(bigEndian: Uint8Array): Uint8Array {
  const first = bigEndian.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? Uint8Array.of(0) : bigEndian.subarray(first)
  // A leading one bit would mean a negative number.
  return digits[0]! >= 0x80 ? tagged(0x02, Uint8Array.of(0), digits) : tagged(0x02, digits)
}

/** Encodes a small non-negative INTEGER. */
export function smallInteger(value: number): Uint8Array {
  return unsignedInteger(Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value))
}

export function boolean(value: boolean): Uint8Array {
  return tagged(0x01, Uint8Array.of(value ? 0xff : 0))
}

export function octetString(content: Uint8Array): Uint8Array {
  return tagged(0x04, content)
}

/** Encodes a BIT STRING; the last `unused` bits do not count. */
export function bitString(content: Uint8Array, unused = 0): Uint8Array {
  return tagged(0x03, Uint8Array.of(unused), content)
}

/**
 * Encodes named bits such as key usages: bit n is set for every n given, and trailing zero bits are dropped as DER
 * demands.
 */
export function namedBits(...bits: readonly number[]): Uint8Array {
  if (bits.length === 0) return bitString(new Uint8Array())
  const highest = Math.max(...bits)
  const content = new Uint8Array((highest >> 3) + 1)
  for (const bit of bits) content[bit >> 3] = content[bit >> 3]! | (0x80 >> (bit & 7))
  return bitString(content, 7 - (highest & 7))
}

export function utf8String(text: string): Uint8Array {
  return tagged(0x0c, new TextEncoder().encode(text))
}

export function objectIdentifier(id: ObjectIdentifier): Uint8Array {
  const [first, second, ...rest] = id.split('.').map(Number)
  return tagged(0x06, Uint8Array.from([first! * 40 + second!, ...rest].flatMap(base128)))
}

/** Encodes a time in seconds. Years up to 2049 have two digits, as certificates require. */
export function time(milliseconds: number): Uint8Array {
  const digits = new Date(milliseconds)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  const year = Number(digits.slice(0, 4))
  return year < 2050 ? tagged(0x17, ascii(digits.slice(2))) : tagged(0x18, ascii(digits))
}

/** `[number] EXPLICIT`: wraps a value. */
export function explicit(number: number, content: Uint8Array): Uint8Array {
  return tagged(0xa0 | number, content)
}

/** `[number] IMPLICIT`: replaces the tag of a primitive value. */
export function implicit(number: number, content: Uint8Array): Uint8Array {
  return tagged(0x80 | number, content)
}

/** Encodes ASCII text. */
export function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff)
  return [0x80 | bytes.length, ...bytes]
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}
