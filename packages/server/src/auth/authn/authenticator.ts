import type { X509Certificate } from 'node:crypto'
import { StatusError } from '@hykube/machinery/status'
import { anonymousUser, withAuthenticatedGroup } from '../user-info.ts'
import { bearerToken } from './bearer-token.ts'
import type { CertificateAuthenticator } from './client-certificate.ts'
import type { CredentialOutcome, Identity, TokenAuthenticator, TokenContext } from './identity.ts'
import { unknown } from './identity.ts'

/** The parts of a request that authentication needs. */
export interface AuthenticationRequest {
  /** All values of a header as sent, never joined; the name is in lower case. */
  header(name: string): readonly string[]
  /** Names of all headers in lower case. */
  headerNames(): Iterable<string>
  /** Client certificate. One object per connection, so that it is verified once. */
  readonly peerCertificate?: X509Certificate | undefined
  /** Logical cluster in the path; undefined without a prefix. */
  readonly cluster?: string | undefined
  /** One object per connection. */
  readonly connection?: object | undefined
  /** Path without cluster prefix and query. */
  readonly path: string
}

export interface AuthenticatorOptions {
  /** Authenticates client certificates. Default: none. */
  readonly certificates?: CertificateAuthenticator
  /** Token authenticators, tried in order. */
  readonly tokens: readonly TokenAuthenticator[]
  /** Audiences of this API. A token must be issued for one of them. */
  readonly audiences: readonly string[]
  /**
   * Accepts requests without credentials as system:anonymous: everywhere, nowhere, or at these paths. Default: true.
   */
  readonly anonymous?: boolean | readonly string[]
}

/** Determines the user of a request. */
export interface Authenticator {
  /** Returns the user; throws 401 for invalid credentials, and for missing ones where anonymous access is off. */
  authenticate(request: AuthenticationRequest): Promise<Identity>
  /** Authenticates a token alone, for TokenReview. */
  authenticateToken(token: string, context: TokenContext): Promise<CredentialOutcome>
}

/**
 * Tries the certificate, then the token. One valid credential is enough. An invalid one without a valid one is 401,
 * never anonymous, so that a client with a wrong token notices it.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return {
    async authenticate(request) {
      const byCertificate = options.certificates?.authenticate(request.peerCertificate) ?? unknown
      if (byCertificate.kind === 'authenticated') return complete(byCertificate.identity)
      const token = bearerToken(request.header('authorization'))
      if (token !== undefined) {
        const { cluster, connection } = request
        const context = { audiences: options.audiences, cluster, connection }
        const byToken = await askAll(options.tokens, token, context)
        if (byToken.kind === 'authenticated') return complete(byToken.identity)
        throw unauthorized(byToken.kind === 'refused' ? byToken.why : 'invalid bearer token')
      }
      if (byCertificate.kind === 'refused') throw unauthorized(byCertificate.why)
      if (!allowsAnonymous(options.anonymous ?? true, request.path)) throw unauthorized('no credentials')
      return anonymous
    },
    async authenticateToken(token, context) {
      const outcome = await askAll(options.tokens, token, context)
      return outcome.kind === 'authenticated' ? { ...outcome, identity: complete(outcome.identity) } : outcome
    },
  }
}

/** Error for invalid credentials. The reason is in its cause, for the log only. */
export function unauthorized(why: string): StatusError {
  return new StatusError('Unauthorized', 'Unauthorized', { cause: new Error(why) })
}

const anonymous: Identity = { user: anonymousUser }

async function askAll(tokens: readonly TokenAuthenticator[], token: string, context: TokenContext) {
  let worst: CredentialOutcome = unknown
  for (const authenticator of tokens) {
    const outcome = await authenticator.authenticateToken(token, context)
    if (outcome.kind === 'authenticated') return outcome
    if (outcome.kind === 'refused') worst = outcome
  }
  return worst
}

// Authenticators return the same Identity object for the same user, so the result is cached by identity.
const completed = new WeakMap<Identity, Identity>()

function complete(identity: Identity): Identity {
  const known = completed.get(identity)
  if (known !== undefined) return known
  const full = { ...identity, user: withAuthenticatedGroup(identity.user) }
  completed.set(identity, full)
  return full
}

function allowsAnonymous(allowed: boolean | readonly string[], path: string): boolean {
  return typeof allowed === 'boolean' ? allowed : allowed.includes(path)
}
