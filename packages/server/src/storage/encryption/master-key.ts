import { createHash, randomBytes } from 'node:crypto'
import { StorageError } from '../storage-error.ts'

/** The key that wraps data keys. It never encrypts values, and is never in the store. */
export interface MasterKey {
  /** 16 hexadecimal digits of a hash: identifies the key without revealing it. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** Master keys of a server: the first wraps, all of them unwrap. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

/** Creates a random master key. */
export function createMasterKey(): MasterKey {
  return masterKeyFromBytes(randomBytes(keyBytes))
}

/** Creates a master key from its 32 bytes. */
export function masterKeyFromBytes(bytes: Uint8Array): MasterKey {
  const id = createHash('sha256').update('hykube master key id\0').update(bytes).digest('hex').slice(0, 16)
  return { id, bytes }
}

/** Formats a master key as base64. */
export function formatMasterKey(key: MasterKey): string {
  return Buffer.from(key.bytes).toString('base64')
}

/**
 * Parses master keys: each 32 bytes as base64 (also URL-safe) or 64 hexadecimal digits, the current one first, older
 * ones after it, separated by white space or commas. Errors contain `origin`, never the text.
 */
export function parseMasterKeys(text: string, origin: string): MasterKeys {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const [first, ...others] = words.map((word, index) => parseMasterKey(word, `key ${index + 1} of ${origin}`))
  if (first === undefined) throw new StorageError('invalid', `no master key in ${origin}: give 32 bytes in base64`)
  return [first, ...others]
}

const keyBytes = 32

function parseMasterKey(word: string, origin: string): MasterKey {
  const bytes = Buffer.from(word, /^[0-9a-fA-F]{64}$/.test(word) ? 'hex' : 'base64')
  if (bytes.length === keyBytes && /^[\w+/-]+=*$/.test(word)) return masterKeyFromBytes(bytes)
  throw new StorageError('invalid', `${origin} is not a master key: give 32 bytes in base64 or 64 hexadecimal digits`)
}
