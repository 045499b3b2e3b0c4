import { Buffer } from 'node:buffer'

/** Encodes a record as JSON. Only servers write records, so decoding doesn't validate them. */
export function recordToBytes(record: object): Uint8Array {
  return Buffer.from(JSON.stringify(record), 'utf8')
}

export function recordFromBytes<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as T
}
