import { createHash, createPublicKey, type KeyObject } from 'node:crypto'

/** Keys of service account tokens: one signs, all verify, so that a key can be replaced while its tokens are valid. */
export class ServiceAccountKeys {
  readonly signingKey: KeyObject
  readonly signingKeyId: string
  readonly #publicKeys = new Map<string, KeyObject>()

  /** The signing key is an ECDSA P-256 private key; retired keys are private or public. */
  constructor(signingKey: KeyObject, retired: readonly KeyObject[] = []) {
    for (const key of [signingKey, ...retired]) this.#add(key)
    this.signingKey = signingKey
    this.signingKeyId = keyId(publicPart(signingKey))
  }

  /** Returns the key with this id. */
  find(id: string): KeyObject | undefined {
    return this.#publicKeys.get(id)
  }

  /** Document of `/openid/v1/jwks`, for external verification of tokens. */
  jwks(): { readonly keys: readonly Readonly<Record<string, unknown>>[] } {
    return {
      keys: [...this.#publicKeys].map(([kid, key]) => {
        const { kty, crv, x, y } = key.export({ format: 'jwk' })
        return { use: 'sig', kty, kid, crv, alg: 'ES256', x, y }
      }),
    }
  }

  #add(key: KeyObject): void {
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new Error('cannot use a service account key: it is not ECDSA P-256')
    const own = publicPart(key)
    this.#publicKeys.set(keyId(own), own)
  }
}

function publicPart(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key
}

function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}
