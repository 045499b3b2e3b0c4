import type { X509Certificate } from 'node:crypto'
import { StatusError } from '@hykube/machinery/status'
import { anonymousUser, withAuthenticatedGroup } from '../user-info.ts'
import { bearerToken } from './bearer-token.ts'
import type { CertificateAuthenticator } from './client-certificate.ts'
import type { CredentialOutcome, Identity, TokenAuthenticator, TokenContext } from './identity.ts'
import { unknown } from './identity.ts'

/** A request as far as it says who asks. */
export interface AuthenticationRequest {
  /** All values of a header, each as it was sent and never joined; the name is in lower case. */
  header(name: string): readonly string[]
  /** The names of all headers, in lower case. */
  headerNames(): Iterable<string>
  /** The client's certificate. The same object for all requests of a connection, so that it is verified once. */
  readonly peerCertificate?: X509Certificate | undefined
  /** The logical cluster named by the path; undefined without a prefix. */
  readonly cluster?: string | undefined
  /** The same object for all requests of a connection. */
  readonly connection?: object | undefined
  /** The path without prefix and query. */
  readonly path: string
}

export interface AuthenticatorOptions {
  /** Who knows client certificates. Default: nobody. */
  readonly certificates?: CertificateAuthenticator
  /** Who knows tokens, in the order they are asked. */
  readonly tokens: readonly TokenAuthenticator[]
  /** What this API answers to. A token must be meant for one of these. */
  readonly audiences: readonly string[]
  /** Whether whoever shows nothing is let in as nobody: everywhere, nowhere, or at these paths. Default: true. */
  readonly anonymous?: boolean | readonly string[]
}

/** Says who asks. */
export interface Authenticator {
  /** Whoever asks; throws the 401 of credentials that are not good, and of none where some are needed. */
  authenticate(request: AuthenticationRequest): Promise<Identity>
  /** What a token alone says, for reviews. */
  authenticateToken(token: string, context: TokenContext): Promise<CredentialOutcome>
}

/**
 * Asks for a certificate, then for a token. Any that is good is enough; a bad one without a good one is 401, never nobody:
 * a client with a wrong token must not find itself anonymous.
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

/** The 401 of every request whose credentials are not good. Why is in its cause, for the log alone. */
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

// Identities are kept by those who made them, so the completed one is kept too: one object for one user.
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
