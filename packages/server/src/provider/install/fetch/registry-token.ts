import type { CompleteSettings } from '../installer-settings.ts'
import type { OriginToken } from './http-fetcher.ts'

/** The bearer token for a registry's host, restricted to the origin of that host. */
export function tokenOf(settings: CompleteSettings, host: string): OriginToken | undefined {
  const value = settings.credentials(host)
  return value === undefined ? undefined : { origin: originOf(settings, host), value }
}

/** The origin of a registry's host: its scheme, name and port. */
export function originOf({ plainHttpHosts }: Pick<CompleteSettings, 'plainHttpHosts'>, host: string): string {
  return new URL(`${plainHttpHosts.has(host) ? 'http' : 'https'}://${host}`).origin
}
