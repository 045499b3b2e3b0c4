import type { CustomTypesConfig } from 'pg'

/** A list of byte strings as PostgreSQL's binary array. One parameter and one prepared statement serve any number. */
export function byteArrays(items: readonly (Uint8Array | null)[]): Buffer {
  return encodeArray(oid.bytea, items)
}

/** A list of 64-bit integers as a binary array. */
export function bigIntegers(items: readonly (number | null)[]): Buffer {
  return encodeArray(
    oid.int8,
    items.map((item) => (item === null ? null : bigInteger(item))),
  )
}

/** A list of 32-bit integers as a binary array. */
export function integers(items: readonly number[]): Buffer {
  return encodeArray(oid.int4, items.map(integer))
}

/** A list of truth values as a binary array. */
export function booleans(items: readonly boolean[]): Buffer {
  return encodeArray(
    oid.bool,
    items.map((item) => (item ? yes : no)),
  )
}

/**
 * How answers are read: integers as numbers, bytes from their hexadecimal form. Answers come as text because the driver
 * reads binary ones as UTF-8 and so breaks bytes that are not.
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

// One dimension, a note whether there are nulls, the element type, the length, and the lower bound 1; then each element
// after its own length, -1 for null.
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
