/**
 * A key: a space and its ordered segments, as one run of bytes that sorts like the segments do.
 *
 * Each segment is written as UTF-8 with every byte 0x00 replaced by 0x00 0xff, and closed by 0x00 0x01. So a shorter
 * segment sorts before a longer one that begins with it, no byte in a segment can imitate the end of one, and the keys
 * that begin with some given segments are exactly the keys in one range. The space is the first segment.
 */
export type Key = Uint8Array & { readonly [keyBrand]: true }
declare const keyBrand: unique symbol

/** The key with these segments in a space. */
export function encodeKey(space: string, segments: readonly string[]): Key {
  let text = escapeSegment(space)
  for (const segment of segments) text += escapeSegment(segment)
  return encodeEscaped(text)
}

/** The space and the segments of a key; the inverse of {@link encodeKey}. */
export function decodeKey(key: Uint8Array): { readonly space: string; readonly segments: readonly string[] } {
  const [space, ...segments] = readSegments(key)
  if (space === undefined) throw new Error('cannot decode a key without segments')
  return { space, segments }
}

/** The first key after every key that begins with these bytes, for bytes that end with a whole segment. */
export function keyRangeEnd(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice()
  end[end.length - 1] = segmentEnd + 1
  return end
}

/** Orders keys as the segments order, byte by byte. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
}

const zero = 0x00
const escapedZero = 0xff
const segmentEnd = 0x01

// Characters stand for bytes here: segments are turned into UTF-8 one by one, and the marks are below 0x100.
function escapeSegment(segment: string): string {
  const bytes = isAscii(segment) ? segment : Buffer.from(segment, 'utf8').toString('latin1')
  return `${bytes.includes('\0') ? bytes.replaceAll('\0', '\0\xff') : bytes}\0\x01`
}

function encodeEscaped(text: string): Key {
  // An allocation of its own: keys live long, and a slice of Node's pool would keep the whole pool alive.
  const bytes = Buffer.allocUnsafeSlow(text.length)
  bytes.write(text, 'latin1')
  return bytes as unknown as Key
}

const ascii = /^[\x00-\x7f]*$/
function isAscii(text: string): boolean {
  return ascii.test(text)
}

function* readSegments(key: Uint8Array): Generator<string> {
  let bytes: number[] = []
  for (let at = 0; at < key.length; at++) {
    const byte = key[at]!
    if (byte !== zero) {
      bytes.push(byte)
      continue
    }
    at++
    if (key[at] === escapedZero) {
      bytes.push(0)
    } else {
      yield Buffer.from(bytes).toString('utf8')
      bytes = []
    }
  }
}
