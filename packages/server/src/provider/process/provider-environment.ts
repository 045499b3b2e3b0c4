import type { LogLevel } from '@hykube/tfplugin/handshake'

/**
 * The whole environment of a provider's process. Providers take credentials from theirs, and so does what their schema
 * says: the server's own must not leak into it.
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
    // Without these nothing starts on Windows.
    ['SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT'],
  ),
)

function isPassedOn(name: string): boolean {
  const upper = name.toUpperCase()
  return passedOn.has(upper) || upper.startsWith('LC_')
}
