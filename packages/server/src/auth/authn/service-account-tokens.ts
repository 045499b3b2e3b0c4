import { hash } from 'node:crypto'
import { type Clock, messageOf, systemClock } from '@hykube/machinery/base'
import type { JWTPayload } from 'jose'
import { quoteList } from '../go-format.ts'
import { serviceAccountGroups, serviceAccountUserName } from '../service-account-name.ts'
import { credentialIdKey, type UserInfo } from '../user-info.ts'
import type { BoundKind, BoundObjects } from './bound-objects.ts'
import { type CredentialOutcome, type Identity, refused, type TokenAuthenticator, unknown } from './identity.ts'
import { LruCache } from './lru-cache.ts'
import {
  type KubernetesClaim,
  kubernetesClaim,
  type ObjectReference,
  unverifiedIssuer,
} from './service-account-claims.ts'
import type { ServiceAccountKeys } from './service-account-keys.ts'

export interface ServiceAccountTokenOptions {
  readonly keys: ServiceAccountKeys
  readonly issuer: string
  readonly objects: BoundObjects
  /** Maximum number of cached verified tokens. Default: 10,000. */
  readonly cacheSize?: number
  /** Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Authenticates service account tokens. A signature is verified once and cached until the token expires; the account
 * and the bound objects are looked up every time, so that deleting one of them invalidates its tokens at once.
 */
export function createServiceAccountAuthenticator(options: ServiceAccountTokenOptions): TokenAuthenticator {
  const verifier = new Verifier(options)
  return {
    async authenticateToken(token, { audiences, cluster }) {
      const verified = await verifier.verify(token)
      if ('kind' in verified) return verified
      const { claim, identity } = verified
      const meant = verified.audiences.filter((audience) => audiences.includes(audience))
      if (meant.length === 0)
        return refused(
          `token audiences ${quoteList(verified.audiences)} is invalid for the target audiences ${quoteList(audiences)}`,
        )
      if (cluster !== undefined && cluster !== claim.clusterName)
        return refused('service account token belongs to another logical cluster')
      const gone = await whatIsGone(claim, options.objects, verifier.now())
      if (gone !== undefined) return refused(gone)
      // Usually all audiences are requested; returning the same object lets callers cache by identity.
      const isWhole = meant.length === verified.audiences.length
      return { kind: 'authenticated', identity: isWhole ? identity : { ...identity, audiences: meant } }
    },
  }
}

interface Verified {
  readonly claim: KubernetesClaim
  readonly audiences: readonly string[]
  readonly identity: Identity
}

// Tolerated clock difference between issuer and verifier.
const leewaySeconds = 60

class Verifier {
  readonly #keys: ServiceAccountKeys
  readonly #issuer: string
  readonly #clock: Clock
  readonly #cache: LruCache<Verified>

  constructor({ keys, issuer, clock = systemClock, cacheSize = 10_000 }: ServiceAccountTokenOptions) {
    this.#keys = keys
    this.#issuer = issuer
    this.#clock = clock
    this.#cache = new LruCache(cacheSize)
  }

  now(): number {
    return this.#clock.now()
  }

  async verify(token: string): Promise<Verified | CredentialOutcome> {
    const key = hash('sha256', token, 'base64')
    const known = this.#cache.get(key, this.now())
    if (known !== undefined) return known
    if (unverifiedIssuer(token) !== this.#issuer) return unknown
    try {
      const payload = await this.#payloadOf(token)
      const verified = verifiedFrom(payload)
      if (verified === undefined) return refused('service account token lacks required claims')
      this.#cache.set(key, verified, (payload.exp! + leewaySeconds) * 1000)
      return verified
    } catch (error) {
      return refused(reasonOf(error))
    }
  }

  async #payloadOf(token: string): Promise<JWTPayload> {
    // Loaded on first use: most servers never need it.
    const { jwtVerify } = await import('jose')
    const { payload } = await jwtVerify(token, ({ kid = '' }) => this.#keyFor(kid), {
      algorithms: ['ES256'],
      issuer: this.#issuer,
      requiredClaims: ['exp', 'iat', 'nbf', 'sub', 'aud'],
      currentDate: new Date(this.now()),
      clockTolerance: leewaySeconds,
    })
    if (payload.iat! > this.now() / 1000 + leewaySeconds) throw new Error('issued in the future')
    return payload
  }

  #keyFor(kid: string) {
    const key = this.#keys.find(kid)
    if (key === undefined) throw new Error('invalid signature, no keys found')
    return key
  }
}

function verifiedFrom(payload: JWTPayload): Verified | undefined {
  const claim = kubernetesClaim(payload)
  if (claim === undefined) return undefined
  const name = serviceAccountUserName({ namespace: claim.namespace, name: claim.serviceaccount.name })
  if (payload.sub !== name) return undefined
  const user: UserInfo = {
    name,
    uid: claim.serviceaccount.uid,
    groups: serviceAccountGroups(claim.namespace),
    extra: extraOf(claim, payload.jti),
  }
  const audiences = [payload.aud ?? []].flat()
  return { claim, audiences, identity: { user, audiences, cluster: claim.clusterName } }
}

function extraOf({ pod, node }: KubernetesClaim, jti: string | undefined): Record<string, readonly string[]> {
  const prefix = 'authentication.kubernetes.io'
  return {
    ...(pod === undefined ? {} : { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid] }),
    ...(jti === undefined ? {} : { [credentialIdKey]: [`JTI=${jti}`] }),
    ...(node === undefined ? {} : { [`${prefix}/node-name`]: [node.name] }),
    ...(node === undefined || node.uid === '' ? {} : { [`${prefix}/node-uid`]: [node.uid] }),
  }
}

async function whatIsGone(claim: KubernetesClaim, objects: BoundObjects, now: number): Promise<string | undefined> {
  const { clusterName, namespace, serviceaccount, secret, pod, node } = claim
  const bound: readonly [BoundKind, string, ObjectReference | undefined][] = [
    ['ServiceAccount', namespace, serviceaccount],
    ['Secret', namespace, secret],
    ['Pod', namespace, pod],
    // The node of a pod's token is informational and not checked.
    ['Node', '', pod === undefined ? node : undefined],
  ]
  for (const [kind, place, reference] of bound) {
    if (reference === undefined) continue
    const answer = objects.find(clusterName, kind, place, reference.name)
    const found = answer instanceof Promise ? await answer : answer
    const words = `${kind} ${place === '' ? '' : `${place}/`}${reference.name}`
    if (found === undefined) return `service account token has been invalidated: ${words} does not exist`
    if (found.uid !== reference.uid)
      return `service account token has been invalidated: ${words} was recreated with another uid`
    if (found.deletionTimestamp !== undefined && Date.parse(found.deletionTimestamp) < now - leewaySeconds * 1000)
      return `service account token has been invalidated: ${words} has been deleted`
  }
  return undefined
}

function reasonOf(error: unknown): string {
  const { code, claim } = error as { readonly code?: string; readonly claim?: string }
  if (code === 'ERR_JWT_EXPIRED') return 'service account token has expired'
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'nbf') return 'service account token is not valid yet'
  return `service account token cannot be verified: ${messageOf(error)}`
}
