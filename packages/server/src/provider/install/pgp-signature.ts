import { InstallFailure } from './install-failure.ts'

/** A key that a registry lists. */
export interface SigningKey {
  readonly armor: string
}

export interface VerifiedSignature {
  /** The key that signed, by its id in hexadecimal. */
  readonly keyId: string
  /** Since when the key has expired; absent when it has not. */
  readonly expired?: Date
}

/**
 * Checks a detached signature over bytes: one of the keys must have made it while it was valid. Fails with
 * SignatureInvalid, or with KeyExpired when the key had expired before it signed.
 */
export async function verifySignature(
  content: Uint8Array,
  signature: Uint8Array,
  keys: readonly SigningKey[],
  now: number,
): Promise<VerifiedSignature> {
  // Large, and needed only when something is downloaded; under the LGPL, so that nothing else here leans on it.
  const pgp = await import('openpgp')
  const verificationKeys = (await Promise.all(keys.map(({ armor }) => readKeys(pgp, armor)))).flat()
  const { signatures } = await pgp.verify({
    message: await pgp.createMessage({ binary: content }),
    signature: await readSignature(pgp, signature),
    verificationKeys,
    format: 'binary',
    date: new Date(now),
  })
  const problems: string[] = []
  for (const { keyID, verified } of signatures) {
    try {
      await verified
      const key = verificationKeys.find((candidate) => candidate.getKeys(keyID).length > 0)!
      const expires = await key.getExpirationTime()
      const expired = expires instanceof Date && expires.getTime() <= now ? { expired: expires } : {}
      return { keyId: keyID.toHex().toUpperCase(), ...expired }
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  const reason = problems.some((problem) => /expired/.test(problem)) ? 'KeyExpired' : 'SignatureInvalid'
  throw new InstallFailure(reason, problems.join('; ') || 'it holds no signature')
}

type Pgp = typeof import('openpgp')

// A key that can't be read does not keep the others from being used.
async function readKeys(pgp: Pgp, armoredKeys: string) {
  try {
    return await pgp.readKeys({ armoredKeys })
  } catch {
    return []
  }
}

async function readSignature(pgp: Pgp, bytes: Uint8Array) {
  try {
    return bytes[0] === dash
      ? await pgp.readSignature({ armoredSignature: new TextDecoder().decode(bytes) })
      : await pgp.readSignature({ binarySignature: bytes })
  } catch (cause) {
    throw new InstallFailure('SignatureInvalid', `it can't be read: ${(cause as Error).message}`, { cause })
  }
}

const dash = '-'.charCodeAt(0)
