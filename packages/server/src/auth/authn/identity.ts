import type { UserInfo } from '../user-info.ts'

/** An authenticated user. */
export interface Identity {
  readonly user: UserInfo
  /** The requested audiences that the credentials are valid for; undefined for credentials without audiences. */
  readonly audiences?: readonly string[]
  /**
   * The only logical cluster that the credentials are valid for; requests without a prefix go there. Undefined: all
   * clusters.
   */
  readonly cluster?: string
}

/** Result of one authenticator. */
export type CredentialOutcome =
  | { readonly kind: 'authenticated'; readonly identity: Identity }
  /** No credentials of this kind: another authenticator may accept them. */
  | { readonly kind: 'unknown' }
  /** Invalid credentials of this kind. The reason is for logs and reviews, and never sent to the client. */
  | { readonly kind: 'refused'; readonly why: string }

export const unknown: CredentialOutcome = { kind: 'unknown' }

export function refused(why: string): CredentialOutcome {
  return { kind: 'refused', why }
}

/** Authenticates tokens of one kind. Called concurrently; never throws for a client's input. */
export interface TokenAuthenticator {
  authenticateToken(token: string, context: TokenContext): CredentialOutcome | Promise<CredentialOutcome>
}

/** Scope that a token must be valid for. */
export interface TokenContext {
  readonly audiences: readonly string[]
  /** Logical cluster of the request; undefined when the path has none and the token decides. */
  readonly cluster?: string | undefined
  /** Identifies the connection, so that a token is verified once per connection. */
  readonly connection?: object | undefined
}
