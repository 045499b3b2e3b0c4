import type { ProviderAddress } from '../source/index.ts'
import { matchesPattern } from './address-pattern.ts'

/** How a source may be used: whatever it is, only what its registry signs or a checksum pins, only from the provider directories, or not. */
export type SourceGrant = 'any' | 'verified' | 'nearby' | 'none'

/** What is asked for, and by which logical cluster. */
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

/** Reads `[CLUSTER=]PATTERN`; without a cluster it is for root. Throws, naming the flag. */
export function sourceRuleFromText(text: string): SourceRule {
  const [, cluster = 'root', pattern = ''] = /^(?:([a-z0-9-]+|\*)=)?(.*)$/s.exec(text) ?? []
  if (pattern === '' || /\s/.test(pattern))
    throw new Error(
      `--provider-sources is ${JSON.stringify(text)}, and must be [CLUSTER=]PATTERN, as team-a=hashicorp/*`,
    )
  return { cluster, pattern }
}

/**
 * The sources that an operator allows. Without rules for it, root may install what comes with the server, what provider
 * directories hold, and what is verified; any other logical cluster may install nothing that no rule names.
 */
export function sourcePolicy(rules: readonly SourceRule[], defaultHost: string): SourcePolicy {
  return (asked) => {
    const own = rules.filter(({ cluster }) => cluster === '*' || cluster === asked.cluster)
    if (own.some(({ pattern }) => matches(pattern, asked, defaultHost))) return 'any'
    if (asked.cluster !== 'root') return 'none'
    if (asked.kind === 'built-in') return 'any'
    if (own.some(({ cluster }) => cluster === 'root')) return asked.kind === 'address' ? 'nearby' : 'none'
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

// A star stands for anything. A path that climbs up with `..` is not below what it begins with.
function isLike(pattern: string, text: string): boolean {
  if (!pattern.includes('://') || /(^|\/)\.\.(\/|$)/.test(text)) return false
  const expression = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${expression}$`, 's').test(text)
}
