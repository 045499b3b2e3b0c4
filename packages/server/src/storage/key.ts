import { StorageError } from './storage-error.ts'

/**
 * A key: space and ordered segments encoded so that bytes sort like the segments.
 *
 * Each segment is UTF-8 with every byte 0x00 escaped as 0x00 0xff, and terminated by 0x00 0x01. Therefore a shorter
 * segment sorts before a longer one that begins with it, no segment can contain a terminator, and the keys with common
 * leading segments are one contiguous range. The space is the first segment.
 */
export type Key = Uint8Array & { readonly [keyBrand]: true }
declare const keyBrand: unique symbol

/** Encodes a key. Throws `invalid` for text without UTF-8 form, such as lone surrogates. */
export function encodeKey(space: string, segments: readonly string[]): Key {
  let length = space.length + 2
  for (let at = 0; at < segments.length; at++) length += segments[at]!.length + 2
  const room = keyRoom(length)
  let end = writePlain(room, 0, space)
  for (let at = 0; at < segments.length && end >= 0; at++) end = writePlain(room, end, segments[at]!)
  return end < 0 ? encodeUnusual(space, segments) : (room as unknown as Key)
}

/** Decodes a key; the inverse of {@link encodeKey}. */
export function decodeKey(key: Uint8Array): { readonly space: string; readonly segments: readonly string[] } {
  const text = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
  const [space, ...segments] = plainKey.test(text) ? text.slice(0, -2).split('\0\x01') : readSegments(key)
  if (space === undefined) throw new StorageError('invalid', 'cannot decode a key without segments')
  return { space, segments }
}

/** Returns the upper bound (exclusive) of all keys with a prefix that ends at a segment boundary. */
export function keyRangeEnd(prefix: Uint8Array): Uint8Array {
  const end = keyRoom(prefix.length)
  end.set(prefix)
  end[end.length - 1] = segmentEnd + 1
  return end
}

/** Compares keys bytewise, which is the order of their segments. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
}

/** Returns the position after the terminator of the segment at `start`, or -1. */
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

// ASCII segments without NUL need no escaping; most are. Returns the position after the segment, or -1 for others.
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

// Strings hold one byte per character here: each segment is converted to UTF-8 first, and terminators are below 0x100.
function encodeUnusual(space: string, segments: readonly string[]): Key {
  const text = [space, ...segments].map(escapeSegment).join('')
  const bytes = keyRoom(text.length)
  bytes.write(text, 'latin1')
  return bytes as unknown as Key
}

function escapeSegment(segment: string): string {
  if (!segment.isWellFormed()) {
    throw new StorageError('invalid', `cannot encode ${JSON.stringify(segment)} in a key: it has a lone surrogate`)
  }
  return `${Buffer.from(segment, 'utf8').toString('latin1').replaceAll('\0', '\0\xff')}\0\x01`
}

// Several keys share one allocation, because an allocation costs more than a key. The chunk is small, because one
// long-lived key keeps all of it alive; Node's pool would be 8 times as large.
const sharedBytes = 1024
let shared = Buffer.allocUnsafeSlow(sharedBytes)
let used = 0

/** Allocates bytes for a key. */
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
    if (end < 0) throw new StorageError('invalid', 'cannot decode a key: its last segment is not terminated')
    yield unescapeSegment(key, start, end - 2)
    start = end
  }
}

function unescapeSegment(key: Uint8Array, start: number, end: number): string {
  const escaped = Buffer.from(key.buffer, key.byteOffset + start, end - start)
  if (!escaped.includes(zero)) return escaped.toString('utf8')
  return Buffer.from(escaped.toString('latin1').replaceAll('\0\xff', '\0'), 'latin1').toString('utf8')
}
