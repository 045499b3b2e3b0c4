import { StorageError } from './storage-error.ts'

/**
 * A key: a space and its ordered segments, as one run of bytes that sorts like the segments do.
 *
 * Each segment is written as UTF-8 with every byte 0x00 replaced by 0x00 0xff, and closed by 0x00 0x01. So a shorter
 * segment sorts before a longer one that begins with it, no byte in a segment can imitate the end of one, and the keys
 * that begin with some given segments are exactly the keys in one range. The space is the first segment.
 */
export type Key = Uint8Array & { readonly [keyBrand]: true }
declare const keyBrand: unique symbol

/** The key with these segments in a space. Fails with `invalid` for text that has no UTF-8, as lone surrogates have none. */
export function encodeKey(space: string, segments: readonly string[]): Key {
  let length = space.length + 2
  for (let at = 0; at < segments.length; at++) length += segments[at]!.length + 2
  const room = keyRoom(length)
  let end = writePlain(room, 0, space)
  for (let at = 0; at < segments.length && end >= 0; at++) end = writePlain(room, end, segments[at]!)
  return end < 0 ? encodeUnusual(space, segments) : (room as unknown as Key)
}

/** The space and the segments of a key; the inverse of {@link encodeKey}. */
export function decodeKey(key: Uint8Array): { readonly space: string; readonly segments: readonly string[] } {
  const text = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
  const [space, ...segments] = plainKey.test(text) ? text.slice(0, -2).split('\0\x01') : readSegments(key)
  if (space === undefined) throw new StorageError('invalid', 'cannot decode a key without segments')
  return { space, segments }
}

/** The first key after every key that begins with these bytes, for bytes that end with a whole segment. */
export function keyRangeEnd(prefix: Uint8Array): Uint8Array {
  const end = keyRoom(prefix.length)
  end.set(prefix)
  end[end.length - 1] = segmentEnd + 1
  return end
}

/** Orders keys as the segments order, byte by byte. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
}

/** Where the segment that begins at a position ends: the position after its closing mark, -1 when there is none. */
export function segmentEndAt(key: Uint8Array, start: number): number {
  for (let at = start; at < key.length - 1; at++) {
    if (key[at] !== zero) continue
    const mark = key[++at]
    if (mark === segmentEnd) return at + 1
    if (mark !== escapedZero) return -1
  }
  return -1
}

const zero = 0x00
const escapedZero = 0xff
const segmentEnd = 0x01

const plainKey = /^(?:[\x01-\x7f]*\0\x01)+$/

// Most segments are ASCII without zeros, and then are their own escaped form: the place after the segment, -1 for any other.
function writePlain(room: Uint8Array, start: number, segment: string): number {
  const { length } = segment
  for (let at = 0; at < length; at++) {
    const code = segment.charCodeAt(at)
    if (code === zero || code > 0x7f) return -1
    room[start + at] = code
  }
  room[start + length] = zero
  room[start + length + 1] = segmentEnd
  return start + length + 2
}

// Characters stand for bytes here: segments are turned into UTF-8 one by one, and the marks are below 0x100.
function encodeUnusual(space: string, segments: readonly string[]): Key {
  const text = [space, ...segments].map(escapeSegment).join('')
  const bytes = keyRoom(text.length)
  bytes.write(text, 'latin1')
  return bytes as unknown as Key
}

function escapeSegment(segment: string): string {
  if (!segment.isWellFormed()) {
    throw new StorageError('invalid', `cannot make a key of ${JSON.stringify(segment)}: it holds half a surrogate pair`)
  }
  return `${Buffer.from(segment, 'utf8').toString('latin1').replaceAll('\0', '\0\xff')}\0\x01`
}

// A few keys share an allocation, because each of its own costs more than the key. Few, because one that lives long keeps them all:
// Node's own pool would be kept for it.
const sharedBytes = 1024
let shared = Buffer.allocUnsafeSlow(sharedBytes)
let used = 0

/** Room for the bytes of a key. */
export function keyRoom(length: number): Buffer {
  if (length > sharedBytes / 4) return Buffer.allocUnsafeSlow(length)
  if (used + length > sharedBytes) {
    shared = Buffer.allocUnsafeSlow(sharedBytes)
    used = 0
  }
  const room = shared.subarray(used, used + length)
  used += length
  return room
}

function* readSegments(key: Uint8Array): Generator<string> {
  for (let start = 0; start < key.length; ) {
    const end = segmentEndAt(key, start)
    if (end < 0) throw new StorageError('invalid', 'cannot decode a key whose last segment does not end')
    yield unescapeSegment(key, start, end - 2)
    start = end
  }
}

function unescapeSegment(key: Uint8Array, start: number, end: number): string {
  const escaped = Buffer.from(key.buffer, key.byteOffset + start, end - start)
  if (!escaped.includes(zero)) return escaped.toString('utf8')
  return Buffer.from(escaped.toString('latin1').replaceAll('\0\xff', '\0'), 'latin1').toString('utf8')
}
