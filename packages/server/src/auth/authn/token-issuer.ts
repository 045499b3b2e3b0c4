import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { serviceAccountUserName } from '../service-account-name.ts'
import type { KubernetesClaim } from './service-account-claims.ts'
import type { ServiceAccountKeys } from './service-account-keys.ts'

/** Content of a new token. */
export interface TokenContent {
  readonly claim: KubernetesClaim
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
}

export interface IssuedToken {
  readonly token: string
  /** In RFC 3339, rounded down to seconds, never later than the token's expiry. */
  readonly expirationTimestamp: string
  /** Appears in the extra fields of the token's user. */
  readonly credentialId: string
}

/** Issues service account tokens. */
export interface TokenIssuer {
  /** The `iss` claim. */
  readonly issuer: string
  issue(content: TokenContent): Promise<IssuedToken>
}

export interface TokenIssuerOptions {
  readonly keys: ServiceAccountKeys
  readonly issuer: string
  /** Default: the system clock. */
  readonly clock?: Clock
}

export function createTokenIssuer({ keys, issuer, clock = systemClock }: TokenIssuerOptions): TokenIssuer {
  return {
    issuer,
    async issue({ claim, audiences, expirationSeconds }) {
      // Loaded on first use: most servers never need it.
      const { SignJWT } = await import('jose')
      const now = Math.floor(clock.now() / 1000)
      const id = randomUUID()
      const token = await new SignJWT({ 'kubernetes.io': claim })
        .setProtectedHeader({ alg: 'ES256', kid: keys.signingKeyId })
        .setIssuer(issuer)
        .setSubject(serviceAccountUserName({ namespace: claim.namespace, name: claim.serviceaccount.name }))
        .setAudience([...audiences])
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + expirationSeconds)
        .setJti(id)
        .sign(keys.signingKey)
      return { token, expirationTimestamp: timestamp(now + expirationSeconds), credentialId: `JTI=${id}` }
    },
  }
}

/** Formats seconds since 1970 in RFC 3339. */
export function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}
