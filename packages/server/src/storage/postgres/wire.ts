import type { CustomTypesConfig } from 'pg'

/** Encodes byte strings as PostgreSQL's binary array. One parameter and one prepared statement serve any number. */
export function byteArrays(items: readonly (Uint8Array | null)[]): Buffer {
  return encodeArray(oid.bytea, items)
}

/** Encodes 64-bit integers as a binary array. */
export function bigIntegers(items: readonly (number | null)[]): Buffer {
  return encodeArray(
    oid.int8,
    items.map((item) => (item === null ? null : bigInteger(item))),
  )
}

/** Encodes 32-bit integers as a binary array. */
export function integers(items: readonly number[]): Buffer {
  return encodeArray(oid.int4, items.map(integer))
}

/** Encodes booleans as a binary array. */
export function booleans(items: readonly boolean[]): Buffer {
  return encodeArray(
    oid.bool,
    items.map((item) => (item ? yes : no)),
  )
}

/**
 * Parsers of results: integers as numbers, bytes from hexadecimal. Results are text, because the driver decodes binary
 * ones as UTF-8, which destroys bytes.
 */
export const resultTypes: CustomTypesConfig = {
  getTypeParser(type: number) {
    switch (type) {
      case oid.bytea:
        return (text: string) => Buffer.from(text.slice(2), 'hex')
      case oid.int8:
      case oid.int4:
        return Number
      case oid.bool:
        return (text: string) => text === 't'
      default:
        return (text: string) => text
    }
  },
}

const oid = { bool: 16, bytea: 17, int8: 20, int4: 23 }
const headerBytes = 20
const yes = Uint8Array.of(1)
const no = Uint8Array.of(0)

// Header: one dimension, null flag, element type, length, lower bound 1. Then each element with its length, -1 for
// null.
function encodeArray(type: number, items: readonly (Uint8Array | null)[]): Buffer {
  let size = headerBytes
  for (const item of items) size += 4 + (item?.length ?? 0)
  const bytes = Buffer.allocUnsafe(size)
  const header = [1, items.includes(null) ? 1 : 0, type, items.length, 1]
  let at = 0
  for (const value of header) at = bytes.writeInt32BE(value, at)
  for (const item of items) {
    at = bytes.writeInt32BE(item === null ? -1 : item.length, at)
    if (item === null) continue
    bytes.set(item, at)
    at += item.length
  }
  return bytes
}

function bigInteger(value: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

function integer(value: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}
