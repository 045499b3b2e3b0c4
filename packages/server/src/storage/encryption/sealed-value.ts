import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import type { Revision } from '../contract.ts'
import { StorageError } from '../storage-error.ts'

/**
 * Layout of an encrypted value: format 1, id of the data key (4 bytes), random nonce (12), encrypted bytes,
 * authentication tag (16). AES-256-GCM also authenticates header, key and revision, so that a value copied to another
 * key, or an old value put back, does not open.
 */
export const sealedOverhead = 1 + 4 + 12 + 16

/** A key that encrypts values. */
export interface DataKey {
  /** A random 32-bit number, unique within its ring. */
  readonly id: number
  readonly bytes: Uint8Array
}

/** Encrypts the value of a key at a revision. */
export function sealValue(dataKey: DataKey, key: Uint8Array, revision: Revision, plain: Uint8Array): Uint8Array {
  const sealed = Buffer.allocUnsafe(plain.length + sealedOverhead)
  sealed[0] = format
  sealed.writeUInt32BE(dataKey.id, idAt)
  takeNonce(sealed)
  const cipher = createCipheriv(algorithm, dataKey.bytes, sealed.subarray(nonceAt, bodyAt))
  cipher.setAAD(associatedData(sealed, key, revision))
  sealed.set(cipher.update(plain), bodyAt)
  cipher.final()
  sealed.set(cipher.getAuthTag(), sealed.length - markBytes)
  return sealed
}

/** Decrypts a sealed value. Throws `corrupt` when the bytes, the key, the revision or the data key differ. */
export function openValue(dataKey: DataKey, key: Uint8Array, revision: Revision, sealed: Uint8Array): Uint8Array {
  const end = sealed.length - markBytes
  const decipher = createDecipheriv(algorithm, dataKey.bytes, sealed.subarray(nonceAt, bodyAt))
  decipher.setAAD(associatedData(sealed, key, revision))
  decipher.setAuthTag(sealed.subarray(end))
  const plain = decipher.update(sealed.subarray(bodyAt, end))
  try {
    decipher.final()
  } catch (cause) {
    throw new StorageError('corrupt', `cannot decrypt a value at revision ${revision}: its bytes were changed`, {
      cause,
    })
  }
  return plain
}

/** Returns the id of the data key that sealed these bytes, or undefined when they are not a sealed value. */
export function sealedWith(sealed: Uint8Array): number | undefined {
  if (sealed.length < sealedOverhead || sealed[0] !== format) return undefined
  return new DataView(sealed.buffer, sealed.byteOffset).getUint32(idAt)
}

// Random bytes for many nonces cost about as much as for one. Each nonce is used once and then wiped.
const nonces = Buffer.alloc(512 * 12)
let nextNonce = nonces.length

function takeNonce(sealed: Uint8Array): void {
  if (nextNonce === nonces.length) {
    randomFillSync(nonces)
    nextNonce = 0
  }
  const nonce = nonces.subarray(nextNonce, nextNonce + nonceBytes)
  sealed.set(nonce, nonceAt)
  nonce.fill(0)
  nextNonce += nonceBytes
}

const algorithm = 'aes-256-gcm'
const format = 1
const idAt = 1
const nonceAt = 5
const nonceBytes = 12
const bodyAt = nonceAt + nonceBytes
const markBytes = 16

// Fixed-length parts come first and the key last, so that different inputs give different bytes.
function associatedData(sealed: Uint8Array, key: Uint8Array, revision: Revision): Uint8Array {
  const length = nonceAt + 8 + key.length
  if (associated.length < length) associated = Buffer.allocUnsafeSlow(2 * length)
  for (let at = 0; at < nonceAt; at++) associated[at] = sealed[at]!
  associated.writeUInt32BE(Math.floor(revision / 2 ** 32), nonceAt)
  associated.writeUInt32BE(revision % 2 ** 32, nonceAt + 4)
  associated.set(key, nonceAt + 8)
  return associated.subarray(0, length)
}

// Reused buffer: valid until the next call.
let associated = Buffer.allocUnsafeSlow(1024)
