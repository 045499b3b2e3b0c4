import { Buffer } from 'node:buffer'

/** A record as bytes: JSON. What it holds was made by this server, so it is read back as what it was. */
export function recordToBytes(record: object): Uint8Array {
  return Buffer.from(JSON.stringify(record), 'utf8')
}

export function recordFromBytes<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as T
}
