/** Facts about a document from one pass over its bytes, before it is parsed. */
export interface ScanResult {
  /** The number of `:` outside of strings: in a valid document, the number of keys including duplicates. */
  readonly keys: number
  /** The largest number of fields in one object, or of objects and lists in one list. */
  readonly members: number
  /** The number of objects, lists and `,` outside of strings: in a valid document, about the number of values. */
  readonly values: number
  /** The deepest nesting of objects and lists. */
  readonly depth: number
  /** True when a number is so long, or has an exponent, that a double may not represent it exactly. */
  readonly longNumbers: boolean
  /** True when a string has an escape from \uD000 to \uDFFF, which may be an unpaired surrogate. */
  readonly surrogateEscapes: boolean
}

/**
 * Scans a document byte by byte, in linear time and without allocating. It validates nothing: for bytes that are not JSON
 * it terminates, with a result that means nothing.
 */
export function scanJson(bytes: Uint8Array): ScanResult {
  let keys = 0
  let depth = 0
  let deepest = 0
  let members = 0
  let values = 0
  counts[0] = 0
  lists[0] = 0
  counts[trackedDepth] = 0
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
      const count = ++counts[Math.min(depth, trackedDepth)]!
      if (count > members) members = count
    } else if (byte === comma) {
      values++
    } else if (byte === openBrace || byte === openBracket) {
      values++
      const parent = Math.min(depth, trackedDepth)
      if (lists[parent] === 1 && ++counts[parent]! > members) members = counts[parent]!
      if (++depth > deepest) deepest = depth
      if (depth < trackedDepth) {
        counts[depth] = 0
        lists[depth] = byte === openBracket ? 1 : 0
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
    } else if (byte <= nine && (byte >= zero || byte === minus)) {
      const start = at
      while (at + 1 < end && isNumberPart(bytes[at + 1]!)) at++
      // A double represents every decimal number of up to 15 digits; numbers with an exponent need the exact check.
      if (at - start >= 15 || hasExponent(bytes, start, at)) longNumbers = true
    }
  }
  return { keys, members, values, depth: deepest, longNumbers, surrogateEscapes }
}

// The containers that are open during a scan, by depth: the number of members, and 1 for a list. All containers below the
// tracked depth share the last counter. The arrays are module state because a scan is synchronous and never reentered.
const trackedDepth = 64
const counts = new Uint32Array(trackedDepth + 1)
const lists = new Uint8Array(trackedDepth + 1)

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
