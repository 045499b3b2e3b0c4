import { hash, randomBytes } from 'node:crypto'
import type { UserInfo } from '../user-info.ts'
import { csvRecords } from './csv.ts'
import { type CredentialOutcome, type Identity, type TokenAuthenticator, unknown } from './identity.ts'

/** A token with its user. */
export interface StaticToken {
  readonly token: string
  readonly user: UserInfo
}

/**
 * Authenticates a fixed list of tokens, valid in every logical cluster and only for this API. Timing reveals nothing
 * about a token, because digests with a per-process secret are compared. Of two equal tokens the later one counts.
 */
export function createStaticTokenAuthenticator(
  tokens: readonly StaticToken[],
  audiences: readonly string[],
): TokenAuthenticator {
  const secret = randomBytes(32).toString('hex')
  const digest = (token: string) => hash('sha256', `${secret}${token}`, 'base64')
  // Caching per connection reveals nothing: the client already presented this token.
  const shown = new WeakMap<object, { readonly token: string; readonly identity: Identity }>()
  const known = new Map(tokens.map(({ token, user }): [string, Identity] => [digest(token), { user, audiences }]))
  return {
    authenticateToken(token, context): CredentialOutcome {
      const { connection } = context
      const before = connection === undefined ? undefined : shown.get(connection)
      const identity = before?.token === token ? before.identity : known.get(digest(token))
      if (identity === undefined) return unknown
      if (connection !== undefined && before?.token !== token) shown.set(connection, { token, identity })
      const meant = audiences.filter((audience) => context.audiences.includes(audience))
      if (meant.length === 0) return unknown
      // For the API's own audiences the same object is returned for all requests.
      const isWhole = meant.length === audiences.length
      return { kind: 'authenticated', identity: isWhole ? identity : { ...identity, audiences: meant } }
    },
  }
}

/**
 * Parses a `--token-auth-file`: CSV with token, user name, uid and optionally a quoted list of groups. Lines without a
 * token are skipped.
 */
export function tokensFromCsv(text: string): StaticToken[] {
  return csvRecords(text)
    .map(([token = '', name, uid, groups], index) => {
      if (name === undefined || uid === undefined)
        throw new Error(`cannot read the token file: record ${index + 1} needs at least a token, a user name and a uid`)
      return { token, user: { name, ...(uid === '' ? {} : { uid }), groups: groups?.split(',') ?? [] } }
    })
    .filter(({ token }) => token !== '')
}
