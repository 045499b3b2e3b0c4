import { base64FromBytes, bytesFromBase64 } from './base64.ts'
import type { ScalarType } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'
import type { WireReader } from './wire-reader.ts'
import type { WireWriter } from './wire-writer.ts'

/** Reads and writes one scalar type. Wire types: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
export interface ScalarCodec {
  readonly wireType: 0 | 1 | 2 | 5
  readonly zero: unknown
  readonly read: (reader: WireReader) => unknown
  readonly write: (writer: WireWriter, value: unknown) => void
  readonly isZero: (value: unknown) => boolean
}

export function scalarCodec(type: ScalarType): ScalarCodec {
  return codecs[type]
}

const isFalsy = (value: unknown): boolean => !value || value === 0n
const isEmptyBytes = (value: unknown): boolean => (value as Uint8Array).length === 0

const codecs: Readonly<Record<ScalarType, ScalarCodec>> = {
  string: { wireType: 2, zero: '', read: (r) => r.string(), write: (w, v) => w.string(text(v)), isZero: isFalsy },
  bytes: {
    wireType: 2,
    zero: new Uint8Array(0),
    read: (r) => r.byteString(),
    write: (w, v) => w.byteString(v as Uint8Array),
    isZero: isEmptyBytes,
  },
  'bytes-view': {
    wireType: 2,
    zero: new Uint8Array(0),
    read: (r) => r.byteView(),
    write: (w, v) => w.byteString(v as Uint8Array),
    isZero: isEmptyBytes,
  },
  base64: {
    wireType: 2,
    zero: '',
    read: (r) => base64FromBytes(r.byteString()),
    write: (w, v) => w.byteString(bytesFromBase64(text(v))),
    isZero: isFalsy,
  },
  bool: { wireType: 0, zero: false, read: (r) => r.bool(), write: (w, v) => w.uint32(v ? 1 : 0), isZero: isFalsy },
  int32: varint(
    (r) => r.int32(),
    (w, v) => w.int32(integerInRange(v, -0x80000000, 0x7fffffff)),
  ),
  enum: varint(
    (r) => r.int32(),
    (w, v) => w.int32(integerInRange(v, -0x80000000, 0x7fffffff)),
  ),
  uint32: varint(
    (r) => r.uint32(),
    (w, v) => w.uint32(integerInRange(v, 0, 0xffffffff)),
  ),
  sint32: varint(
    (r) => r.sint32(),
    (w, v) => {
      const value = integerInRange(v, -0x80000000, 0x7fffffff)
      // Zigzag: 0, -1, 1, -2 become 0, 1, 2, 3, so that small negative numbers stay short.
      w.uint32(((value << 1) ^ (value >> 31)) >>> 0)
    },
  ),
  int64: varint(
    (r) => r.int64(),
    (w, v) => {
      // Nearly all values are small: they need no bigint.
      if (typeof v === 'number' && v >= 0 && v <= 0x7fffffff && Number.isInteger(v)) w.uint32(v)
      else w.varint64(BigInt.asUintN(64, bigIntInRange(v, -(2n ** 63n), 2n ** 63n - 1n)))
    },
  ),
  uint64: varint(
    (r) => r.uint64(),
    (w, v) => w.varint64(bigIntInRange(v, 0n, 2n ** 64n - 1n)),
  ),
  sint64: varint(
    (r) => r.sint64(),
    (w, v) => {
      const value = bigIntInRange(v, -(2n ** 63n), 2n ** 63n - 1n)
      w.varint64(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)))
    },
  ),
  fixed32: fixed(
    5,
    (r) => r.fixed32(),
    (w, v) => w.fixed32(integerInRange(v, 0, 0xffffffff)),
  ),
  sfixed32: fixed(
    5,
    (r) => r.sfixed32(),
    (w, v) => w.fixed32(integerInRange(v, -0x80000000, 0x7fffffff) >>> 0),
  ),
  fixed64: fixed(
    1,
    (r) => r.fixed64(),
    (w, v) => w.fixed64(bigIntInRange(v, 0n, 2n ** 64n - 1n)),
  ),
  sfixed64: fixed(
    1,
    (r) => r.sfixed64(),
    (w, v) => w.fixed64(bigIntInRange(v, -(2n ** 63n), 2n ** 63n - 1n)),
  ),
  float: fixed(
    5,
    (r) => r.float(),
    (w, v) => w.float(Number(v)),
  ),
  double: fixed(
    1,
    (r) => r.double(),
    (w, v) => w.double(Number(v)),
  ),
}

function varint(read: ScalarCodec['read'], write: ScalarCodec['write']): ScalarCodec {
  return { wireType: 0, zero: 0, read, write, isZero: isFalsy }
}

// -0 is not zero here: it differs from 0 on the wire.
function fixed(wireType: 1 | 5, read: ScalarCodec['read'], write: ScalarCodec['write']): ScalarCodec {
  return { wireType, zero: 0, read, write, isZero: (value) => Object.is(value, 0) || value === 0n }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new ProtobufError(`a string is needed, not ${typeof value}`)
}

function integerInRange(value: unknown, minimum: number, maximum: number): number {
  const number = typeof value === 'number' ? value : Number(value)
  if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
  throw new ProtobufError(`an integer from ${minimum} to ${maximum} is needed, not ${String(value)}`)
}

// Integers beyond the exact range of a double arrive as bigint or as decimal digits.
function bigIntInRange(value: unknown, minimum: bigint, maximum: bigint): bigint {
  try {
    const integer = typeof value === 'bigint' ? value : BigInt(typeof value === 'number' ? value : String(value))
    if (integer >= minimum && integer <= maximum) return integer
  } catch {
    // BigInt throws for text that is not an integer: rejected below, like one out of range.
  }
  throw new ProtobufError(`an integer from ${minimum} to ${maximum} is needed, not ${String(value)}`)
}
