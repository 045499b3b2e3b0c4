import type { UserInfo } from '../user-info.ts'

/** Somebody who showed who they are. */
export interface Identity {
  readonly user: UserInfo
  /** Those of the asked audiences that the credentials are meant for; undefined for credentials that have none. */
  readonly audiences?: readonly string[]
  /** The one logical cluster the credentials are good for, where requests without a prefix go; undefined: all of them. */
  readonly cluster?: string
}

/** What credentials of one kind say. */
export type CredentialOutcome =
  | { readonly kind: 'authenticated'; readonly identity: Identity }
  /** There are no such credentials, or they are not of this kind: somebody else may know them. */
  | { readonly kind: 'unknown' }
  /** They are of this kind and not good. The reason is for logs and reviews; a client is told nothing of it. */
  | { readonly kind: 'refused'; readonly why: string }

export const unknown: CredentialOutcome = { kind: 'unknown' }

export function refused(why: string): CredentialOutcome {
  return { kind: 'refused', why }
}

/** Knows tokens of one kind. Asked at the same time by many; never throws for what a client sent. */
export interface TokenAuthenticator {
  authenticateToken(token: string, context: TokenContext): CredentialOutcome | Promise<CredentialOutcome>
}

/** What a token must be good for. */
export interface TokenContext {
  readonly audiences: readonly string[]
  /** The logical cluster the request names; undefined when it names none, and the token decides. */
  readonly cluster?: string | undefined
  /** What stands for the connection the token came by, so that what it showed once is known again. */
  readonly connection?: object | undefined
}
