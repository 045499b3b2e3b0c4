import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { serviceAccountUserName } from '../service-account-name.ts'
import type { KubernetesClaim } from './service-account-claims.ts'
import type { ServiceAccountKeys } from './service-account-keys.ts'

/** A token to be made. */
export interface TokenContent {
  readonly claim: KubernetesClaim
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
}

export interface IssuedToken {
  readonly token: string
  /** In RFC 3339, to the second, never later than what the token says. */
  readonly expirationTimestamp: string
  /** As it appears among the extra of whoever uses the token. */
  readonly credentialId: string
}

/** Makes service account tokens. */
export interface TokenIssuer {
  /** Who answers for the tokens. */
  readonly issuer: string
  issue(content: TokenContent): Promise<IssuedToken>
}

export interface TokenIssuerOptions {
  readonly keys: ServiceAccountKeys
  readonly issuer: string
  /** Default: the machine's. */
  readonly clock?: Clock
}

export function createTokenIssuer({ keys, issuer, clock = systemClock }: TokenIssuerOptions): TokenIssuer {
  return {
    issuer,
    async issue({ claim, audiences, expirationSeconds }) {
      // Loaded by the first who needs it, because most servers that start do not.
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

/** Seconds since 1970 in RFC 3339. */
export function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}
