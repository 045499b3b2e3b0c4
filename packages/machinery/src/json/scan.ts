/** What one pass over the bytes of a document tells, before anything is parsed. */
export interface ScanResult {
  /** The number of `:` outside strings: in a valid document, the number of keys. */
  readonly keys: number
  /** The most fields that one object has, or objects that one list has. */
  readonly members: number
  /** The number of objects, lists and `,` outside strings: in a valid document, about the number of values. */
  readonly values: number
  /** How deep objects and lists are nested. */
  readonly depth: number
  /** Whether a number is so long, or has an exponent, that a double may not hold it. */
  readonly longNumbers: boolean
  /** Whether a string may hold half of a surrogate pair, written as an escape. */
  readonly surrogateEscapes: boolean
}

/**
 * Looks at a document once, byte by byte. It validates nothing; on bytes that are not JSON its answer means nothing, but
 * it always comes.
 */
export function scanJson(bytes: Uint8Array): ScanResult {
  let keys = 0
  let depth = 0
  let deepest = 0
  let members = 0
  let values = 0
  counts[0] = 0
  lists[0] = 0
  counts[looksInto] = 0
  let longNumbers = false
  let surrogateEscapes = false
  const end = bytes.length
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!
    if (byte === quote) {
      for (at++; at < end; at++) {
        const inner = bytes[at]!
        if (inner === quote) break
        if (inner === backslash) {
          at++
          if (bytes[at] === letterU && (bytes[at + 1]! | 0x20) === letterD) surrogateEscapes = true
        }
      }
    } else if (byte === colon) {
      keys++
      const count = ++counts[Math.min(depth, looksInto)]!
      if (count > members) members = count
    } else if (byte === comma) {
      values++
    } else if (byte === openBrace || byte === openBracket) {
      values++
      const parent = Math.min(depth, looksInto)
      if (lists[parent] === 1 && ++counts[parent]! > members) members = counts[parent]!
      if (++depth > deepest) deepest = depth
      if (depth < looksInto) {
        counts[depth] = 0
        lists[depth] = byte === openBracket ? 1 : 0
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
    } else if (byte <= nine && (byte >= zero || byte === minus)) {
      const start = at
      while (at + 1 < end && isNumberPart(bytes[at + 1]!)) at++
      // A decimal number of up to fifteen digits survives a double; an exponent is looked at more closely.
      if (at - start >= 15 || hasExponent(bytes, start, at)) longNumbers = true
    }
  }
  return { keys, members, values, depth: deepest, longNumbers, surrogateEscapes }
}

// What is open while a document is looked at: how many members it has, and whether it is a list. What lies deeper counts
// together.
const looksInto = 64
const counts = new Uint32Array(looksInto + 1)
const lists = new Uint8Array(looksInto + 1)

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const letterU = 0x75
const letterD = 0x64
const letterE = 0x65

function isNumberPart(byte: number): boolean {
  return (byte >= zero && byte <= nine) || byte === 0x2e || byte === minus || byte === 0x2b || (byte | 0x20) === letterE
}

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at <= end; at++) if ((bytes[at]! | 0x20) === letterE) return true
  return false
}
