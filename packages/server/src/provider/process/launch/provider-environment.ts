import type { LogLevel } from '@hykube/tfplugin/handshake'

/**
 * The complete environment of a provider process. Providers read credentials from it, and some schemas depend on it, so only an
 * allowlist of the server's variables is passed.
 */
export function providerEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  workDirectory: string,
  own: Readonly<Record<string, string>> = {},
  logLevel?: LogLevel,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && isPassedOn(name)) environment[name] = value
  }
  environment.HOME = workDirectory
  if (logLevel !== undefined) environment.TF_LOG_PROVIDER = logLevel.toUpperCase()
  return { ...environment, ...own }
}

const passedOn = new Set(
  ['PATH', 'LANG', 'TZ', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'].concat(
    // Windows can't start processes without these.
    ['SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT'],
  ),
)

function isPassedOn(name: string): boolean {
  const upper = name.toUpperCase()
  return passedOn.has(upper) || upper.startsWith('LC_')
}
