import type { ProviderAddress } from '../source/index.ts'

/** Returns whether the include and exclude patterns of an installation method select an address. */
export function isSelected(
  { include, exclude = [] }: { readonly include?: readonly string[]; readonly exclude?: readonly string[] },
  address: ProviderAddress,
  defaultHost: string,
): boolean {
  const matches = (pattern: string) => matchesPattern(pattern, address, defaultHost)
  return !exclude.some(matches) && (include === undefined || include.some(matches))
}

/** Matches an address with a pattern such as `hashicorp/*`. A pattern without a host is for the default host. */
export function matchesPattern(
  pattern: string,
  { host, namespace, type }: ProviderAddress,
  defaultHost: string,
): boolean {
  const parts = pattern.split('/')
  const [wantedType, wantedNamespace = '*', wantedHost = defaultHost] = parts.reverse()
  const fits = (wanted: string | undefined, given: string) => wanted === '*' || wanted?.toLowerCase() === given
  return fits(wantedHost, host) && fits(wantedNamespace, namespace) && fits(wantedType, type)
}
