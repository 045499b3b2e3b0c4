import type { ProviderAddress } from '../source/index.ts'
import { matchesPattern } from './address-pattern.ts'

/**
 * The packages of a source that may be installed: any; only those signed by their registry or pinned by a checksum; only
 * those in a provider directory; none.
 */
export type SourceGrant = 'any' | 'verified' | 'provider-directory' | 'none'

/** The requested source, and the logical cluster that requests it. */
export type AskedSource = { readonly cluster: string; readonly source: string } & (
  | { readonly kind: 'address' | 'built-in'; readonly address: ProviderAddress }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url' }
)

/** Decides which sources a logical cluster may install. */
export type SourcePolicy = (asked: AskedSource) => SourceGrant

/** One value of `--provider-sources`. */
export interface SourceRule {
  /** A logical cluster, or `*` for all of them. */
  readonly cluster: string
  /** `hashicorp/*`, `example.com/acme/*`, `https://example.com/*`, `file:///srv/providers/*`, or `*` for every address of a registry. */
  readonly pattern: string
}

/** Parses `[CLUSTER=]PATTERN`; the default cluster is root. Throws an error that names the flag. */
export function sourceRuleFromText(text: string): SourceRule {
  const [, cluster = 'root', pattern = ''] = /^(?:([a-z0-9-]+|\*)=)?(.*)$/s.exec(text) ?? []
  if (pattern === '' || /\s/.test(pattern))
    throw new Error(
      `--provider-sources is ${JSON.stringify(text)}, and must be [CLUSTER=]PATTERN, such as team-a=hashicorp/*`,
    )
  return { cluster, pattern }
}

/**
 * The policy of `--provider-sources`. Without rules for it, root may install built-in providers, packages in provider
 * directories and verified packages; every other logical cluster may install only sources that a rule allows.
 */
export function sourcePolicy(rules: readonly SourceRule[], defaultHost: string): SourcePolicy {
  return (asked) => {
    const own = rules.filter(({ cluster }) => cluster === '*' || cluster === asked.cluster)
    if (own.some(({ pattern }) => matches(pattern, asked, defaultHost))) return 'any'
    if (asked.cluster !== 'root') return 'none'
    if (asked.kind === 'built-in') return 'any'
    if (own.some(({ cluster }) => cluster === 'root')) return asked.kind === 'address' ? 'provider-directory' : 'none'
    return asked.kind === 'path' ? 'none' : 'verified'
  }
}

function matches(pattern: string, asked: AskedSource, defaultHost: string): boolean {
  if (asked.kind === 'url') return isLike(pattern, asked.source)
  if (asked.kind === 'path') return pattern.startsWith('file://') && isLike(pattern, `file://${asked.path}`)
  if (pattern.includes('://')) return false
  if (pattern === '*') return true
  return matchesPattern(pattern, asked.address, defaultHost)
}

// A star matches any text. Paths with `..` never match, because they may leave the directory of the pattern.
function isLike(pattern: string, text: string): boolean {
  if (!pattern.includes('://') || /(^|\/)\.\.(\/|$)/.test(text)) return false
  const expression = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${expression}$`, 's').test(text)
}
