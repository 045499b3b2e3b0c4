import type { ProviderAddress } from '../source/index.ts'

/** Whether a method of installation is meant for an address. */
export function isMeantFor(
  { include, exclude = [] }: { readonly include?: readonly string[]; readonly exclude?: readonly string[] },
  address: ProviderAddress,
  defaultHost: string,
): boolean {
  const matches = (pattern: string) => matchesPattern(pattern, address, defaultHost)
  return !exclude.some(matches) && (include === undefined || include.some(matches))
}

/** Whether an address is one of a pattern like `hashicorp/*`. */
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
