import type { LeafCodec } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'
import type { WireReader } from './wire-reader.ts'
import type { WireWriter } from './wire-writer.ts'

/** meta/v1 Time: RFC 3339 with seconds, null for the zero time. */
export const timeLeaf: LeafCodec = {
  name: 'Time',
  zero: null,
  read: (reader, end) => {
    const time = readTimestamp(reader, end)
    return time === undefined ? null : `${isoSeconds(time.seconds)}Z`
  },
  write: (writer, value) => {
    if (value !== null) writeTimestamp(writer, { ...parseTime(value), nanos: 0 })
  },
}

/** meta/v1 MicroTime: RFC 3339 with six digits of the second, null for the zero time. */
export const microTimeLeaf: LeafCodec = {
  name: 'MicroTime',
  zero: null,
  read: (reader, end) => {
    const time = readTimestamp(reader, end)
    if (time === undefined) return null
    return `${isoSeconds(time.seconds)}.${String(Math.trunc(time.nanos / 1000)).padStart(6, '0')}Z`
  },
  write: (writer, value) => {
    if (value !== null) writeTimestamp(writer, parseTime(value))
  },
}

interface Timestamp {
  readonly seconds: number
  readonly nanos: number
}

// Go encodes the zero time as a message without fields.
function readTimestamp(reader: WireReader, end: number): Timestamp | undefined {
  if (reader.position === end) return undefined
  let seconds = 0
  let nanos = 0
  while (reader.position < end) {
    const tag = reader.uint32()
    // Tags are number << 3 | wire type: field 1 and field 2, both varints.
    if (tag === 8) seconds = Number(reader.int64())
    else if (tag === 16) nanos = reader.int32()
    else reader.skip(tag & 7, tag >>> 3)
  }
  if (nanos < 0 || nanos > 999_999_999) throw new ProtobufError(`time with ${nanos} nanoseconds`)
  return { seconds, nanos }
}

function writeTimestamp(writer: WireWriter, time: Timestamp): void {
  writer.tag(1, 0)
  writer.varint64(BigInt.asUintN(64, BigInt(time.seconds)))
  writer.tag(2, 0)
  writer.uint32(time.nanos)
}

// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds since 1970: RFC 3339 has four digits for the year.
const earliest = -62_135_596_800
const latest = 253_402_300_799

function isoSeconds(seconds: number): string {
  if (seconds < earliest || seconds > latest) throw new ProtobufError(`time ${seconds} is outside the years 1 to 9999`)
  return new Date(seconds * 1000).toISOString().slice(0, 19)
}

function parseTime(value: unknown): Timestamp {
  const match = typeof value === 'string' ? rfc3339.exec(value) : null
  const milliseconds = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}${match[4]}`)
  if (Number.isNaN(milliseconds)) throw new ProtobufError(`not a time: ${String(value)}`)
  const micros = (match![3] ?? '').slice(1, 7).padEnd(6, '0')
  return { seconds: milliseconds / 1000, nanos: Number(micros) * 1000 }
}

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/
