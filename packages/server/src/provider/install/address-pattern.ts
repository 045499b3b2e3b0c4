import type { ProviderAddress } from '../source/index.ts'
import type { InstallMethod } from './installer-settings.ts'

/** Whether a method of installation is meant for an address. */
export function isMeantFor(method: InstallMethod, address: ProviderAddress, defaultHost: string): boolean {
  const { include, exclude = [] } = method
  const matches = (pattern: string) => matchesPattern(pattern, address, defaultHost)
  return !exclude.some(matches) && (include === undefined || include.some(matches))
}

function matchesPattern(pattern: string, { host, namespace, type }: ProviderAddress, defaultHost: string): boolean {
  const parts = pattern.split('/')
  const [wantedType, wantedNamespace = '*', wantedHost = defaultHost] = parts.reverse()
  const fits = (wanted: string | undefined, given: string) => wanted === '*' || wanted?.toLowerCase() === given
  return fits(wantedHost, host) && fits(wantedNamespace, namespace) && fits(wantedType, type)
}
