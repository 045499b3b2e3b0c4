import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto'
import { messageOf } from '@hykube/machinery/base'
import { StorageError } from '../storage-error.ts'
import type { MasterKey, MasterKeys } from './master-key.ts'
import type { DataKey } from './sealed-value.ts'

/** The data keys of a store, each wrapped by a master key, and the id of the current one. */
export interface KeyRing {
  readonly current: number
  readonly keys: readonly WrappedKey[]
  /** Last rotation of the data key. Until it is finished, older keys may have encrypted some values. */
  readonly rotation?: DataKeyRotation
}

/** Progress of re-encryption with the current data key. Times are milliseconds since 1970. */
export interface DataKeyRotation {
  readonly started: number
  readonly rewritten: number
  readonly finished?: number
}

export interface WrappedKey {
  readonly id: number
  /** Id of the master key that wraps it. */
  readonly master: string
  /** Creation time in milliseconds since 1970. */
  readonly made: number
  /** Nonce, encrypted key and authentication tag. */
  readonly wrapped: Uint8Array
}

/** Creates a ring with one new data key. */
export function createKeyRing(master: MasterKey, made: number): KeyRing {
  const { current, keys } = withNewDataKey({ current: 0, keys: [] }, master, made)
  return { current, keys }
}

/**
 * Adds a new current data key and starts a rotation. Keys replaced by the last finished rotation are dropped, because
 * no value is encrypted with them.
 */
export function withNewDataKey(ring: KeyRing, master: MasterKey, made: number): KeyRing {
  const id = freeId(ring)
  const key = wrapDataKey({ id, bytes: randomBytes(32) }, master, made)
  const { keys } = ring.rotation?.finished === undefined ? ring : withoutOldDataKeys(ring)
  return { current: id, keys: [...keys, key], rotation: { started: made, rewritten: 0 } }
}

/** Wraps all data keys with the first master key. */
export function rewrapped(ring: KeyRing, masters: MasterKeys): KeyRing {
  const rewrap = (key: WrappedKey) =>
    key.master === masters[0].id ? key : wrapDataKey(unwrapDataKey(key, masters), masters[0], key.made)
  return { ...ring, keys: ring.keys.map(rewrap) }
}

/** Drops all data keys except the current one. */
function withoutOldDataKeys(ring: KeyRing): KeyRing {
  return { ...ring, keys: ring.keys.filter((key) => key.id === ring.current) }
}

/** Unwraps a data key. Throws an error with a remedy when none of the master keys wrapped it. */
export function unwrapDataKey(key: WrappedKey, masters: readonly MasterKey[]): DataKey {
  const master = masters.find((candidate) => candidate.id === key.master)
  if (master === undefined) {
    const given = masters.map((candidate) => candidate.id).join(', ')
    throw new StorageError(
      'invalid',
      `the data keys of this store are wrapped by master key ${key.master}, but this server has ${given}: ` +
        'give it the same master key as the server that wrote the store',
    )
  }
  return { id: key.id, bytes: decrypt(key, master) }
}

/** Encodes a ring for storage. */
export function encodeKeyRing(ring: KeyRing): Uint8Array {
  const keys = ring.keys.map((key) => ({ ...key, wrapped: Buffer.from(key.wrapped).toString('base64') }))
  return Buffer.from(JSON.stringify({ version: 1, ...ring, keys }))
}

/** Decodes a ring; throws `corrupt` when the bytes are invalid. */
export function decodeKeyRing(bytes: Uint8Array): KeyRing {
  try {
    const document = JSON.parse(Buffer.from(bytes).toString('utf8'))
    if (document.version !== 1) throw new Error(`version ${document.version} is not supported`)
    const keys = document.keys.map((key: WrappedKey & { wrapped: string }) => ({
      ...key,
      wrapped: Buffer.from(key.wrapped, 'base64'),
    }))
    if (!keys.some((key: WrappedKey) => key.id === document.current)) throw new Error('its current key is missing')
    return { current: document.current, keys, ...(document.rotation && { rotation: document.rotation }) }
  } catch (cause) {
    throw new StorageError('corrupt', `cannot read the key ring: ${messageOf(cause)}`, {
      cause,
    })
  }
}

const nonceBytes = 12
const markBytes = 16

function freeId(ring: KeyRing): number {
  for (;;) {
    const id = randomInt(1, 2 ** 32)
    if (!ring.keys.some((key) => key.id === id)) return id
  }
}

function wrapDataKey(key: DataKey, master: MasterKey, made: number): WrappedKey {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', master.bytes, nonce)
  cipher.setAAD(wrapLabel(key.id))
  const wrapped = Buffer.concat([nonce, cipher.update(key.bytes), cipher.final(), cipher.getAuthTag()])
  return { id: key.id, master: master.id, made, wrapped }
}

function decrypt(key: WrappedKey, master: MasterKey): Uint8Array {
  const end = key.wrapped.length - markBytes
  try {
    const decipher = createDecipheriv('aes-256-gcm', master.bytes, key.wrapped.subarray(0, nonceBytes))
    decipher.setAAD(wrapLabel(key.id))
    decipher.setAuthTag(key.wrapped.subarray(end))
    return Buffer.concat([decipher.update(key.wrapped.subarray(nonceBytes, end)), decipher.final()])
  } catch (cause) {
    throw new StorageError('corrupt', `cannot unwrap data key ${key.id}: the key ring was changed`, { cause })
  }
}

function wrapLabel(id: number): Uint8Array {
  return Buffer.from(`hykube data key ${id}`)
}
