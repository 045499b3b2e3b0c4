/** Accepted versions and cipher suites of TLS. */
export interface TlsSettings {
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3'
  /** OpenSSL names, joined by colons. */
  readonly ciphers: string
}

/** Converts kube-apiserver's flag values. Throws an error that names the flag when one is invalid. */
export function tlsSettings(minVersion: string, cipherSuites: readonly string[]): TlsSettings {
  const version = Object.hasOwn(versions, minVersion) ? versions[minVersion] : undefined
  if (version === undefined)
    throw new Error(
      `--tls-min-version is ${JSON.stringify(minVersion)}, and must be one of ${Object.keys(versions).join(', ')}`,
    )
  const names = cipherSuites.length === 0 ? defaultSuites : cipherSuites.map(openSslName)
  // The suites of TLS 1.3 are always enabled, as in Kubernetes.
  return { minVersion: version, ciphers: [...new Set([...suitesOfTls13, ...names])].join(':') }
}

const versions: Readonly<Record<string, TlsSettings['minVersion']>> = {
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
}

const suitesOfTls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'] as const

const suites: ReadonlyMap<string, string> = new Map([
  ...suitesOfTls13.map((name) => [name, name] as const),
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  // CBC suites for old clients; not in the default list.
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
])

const defaultSuites = [...suites.values()].filter((name) => /GCM|CHACHA20/.test(name))

function openSslName(name: string): string {
  const known = suites.get(name)
  if (known === undefined)
    throw new Error(
      `--tls-cipher-suites has ${JSON.stringify(name)}, and must be a comma-separated list of ${[...suites.keys()].join(', ')}`,
    )
  return known
}
