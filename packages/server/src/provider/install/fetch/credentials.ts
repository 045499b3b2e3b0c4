import { normalHost } from '../../source/index.ts'

/** The bearer token for a host; undefined when there is none. */
export type Credentials = (host: string) => string | undefined

/** Reads Terraform's variables: `TF_TOKEN_registry_example_com` is for registry.example.com; `__` encodes a dash. */
export function credentialsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): Credentials {
  const tokens = new Map<string, string>()
  for (const [name, token] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || token === undefined || token === '') continue
    const host = hostFrom(name.slice(prefix.length))
    if (host !== undefined) tokens.set(host, token)
  }
  return (host) => tokens.get(host)
}

const prefix = 'TF_TOKEN_'

function hostFrom(encoded: string): string | undefined {
  const host = encoded.replaceAll('__', '-').replaceAll('_', '.')
  try {
    return normalHost(host)
  } catch {
    return undefined
  }
}
