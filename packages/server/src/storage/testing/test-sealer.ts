import type { Revision } from '../contract.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { Key } from '../key.ts'
import { StorageError } from '../storage-error.ts'

/**
 * A sealer for tests. It is not secure, but its output does not contain the plain bytes, it detects another key or
 * revision, and it has key generations.
 */
export class TestSealer implements Sealer {
  /** Uses another generation from now on. */
  generation = 1

  seal(key: Key, revision: Revision, plain: Uint8Array): Uint8Array {
    const label = Buffer.from(`${this.generation}|${revision}|${Buffer.from(key).toString('hex')}|`)
    return Buffer.concat([label, mask(plain)])
  }

  open(key: Key, revision: Revision, sealed: Uint8Array): Uint8Array {
    const text = Buffer.from(sealed).toString('latin1')
    const [generation, sealedRevision, sealedKey] = text.split('|', 3)
    if (sealedRevision !== String(revision) || sealedKey !== Buffer.from(key).toString('hex')) {
      throw new StorageError('corrupt', `cannot open a value sealed at ${sealedRevision} for revision ${revision}`)
    }
    return mask(sealed.subarray(`${generation}|${sealedRevision}|${sealedKey}|`.length))
  }

  isCurrent(sealed: Uint8Array): boolean {
    return sealed[0] === `${this.generation}`.charCodeAt(0)
  }
}

function mask(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte ^ 0x5a)
}
