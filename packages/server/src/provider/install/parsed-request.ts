import {
  addressToText,
  constraintToText,
  exactVersion,
  type ProviderAddress,
  parseProviderAddress,
  parseProviderSource,
  parseVersionConstraint,
  SourceError,
  type VersionConstraint,
} from '../source/index.ts'
import { redactedUrl } from './fetch/http-fetcher.ts'
import { parsePackageFileName, providerPrefix } from './find/package-file-name.ts'
import { InstallFailure } from './install-failure.ts'
import type { InstallRequest, PackageLock } from './installed-package.ts'
import type { BuiltInProvider, CompleteSettings } from './installer-settings.ts'

/** An installation request, parsed and validated. */
export type ParsedRequest = (
  | { readonly kind: 'address'; readonly address: ProviderAddress }
  | { readonly kind: 'built-in'; readonly address: ProviderAddress; readonly builtIn: BuiltInProvider }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL; readonly name: string }
) & {
  /** The logical cluster that the package is installed for. */
  readonly cluster: string
  /** The normalized source, as written to the lock. */
  readonly source: string
  readonly constraint: VersionConstraint
  readonly lock?: PackageLock
  /** The name used in messages: `hashicorp/aws ~> 5.62`. */
  readonly shown: string
  /** The provider type that the package must contain, if the request names one. */
  readonly type?: string
}

/** Parses a request. Fails with InvalidSource. */
export function parseRequest(request: InstallRequest, settings: CompleteSettings): ParsedRequest {
  try {
    const constraint = parseVersionConstraint(request.version ?? '')
    const what = parseSource(request, settings)
    const shown = `${request.source ?? request.downloadName ?? what.source} ${constraintToText(constraint)}`.trim()
    const { cluster = 'root' } = request
    return { ...what, cluster, constraint, shown, ...(request.lock !== undefined && { lock: request.lock }) }
  } catch (error) {
    if (error instanceof SourceError) throw invalid(error.message)
    throw error
  }
}

/** The version of a file or URL, which carries no metadata: the version in its name, else the one that the request demands. */
export function versionFromNameOrConstraint(name: string, constraint: VersionConstraint) {
  return parsePackageFileName(name)?.version ?? exactVersion(constraint)
}

type ParsedSource = Omit<ParsedRequest, 'cluster' | 'constraint' | 'lock' | 'shown'> &
  (
    | { readonly kind: 'address'; readonly address: ProviderAddress }
    | { readonly kind: 'built-in'; readonly address: ProviderAddress; readonly builtIn: BuiltInProvider }
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'url'; readonly url: URL; readonly name: string }
  )

function parseSource(request: InstallRequest, settings: CompleteSettings): ParsedSource {
  const { source, downloadName, downloadUrl } = request
  if (downloadUrl !== undefined && downloadUrl !== '') return fromUrl(downloadUrl, request, settings)
  if (source !== undefined && source !== '') return fromSource(source, settings)
  if (downloadName !== undefined && downloadName !== '') return fromSource(sourceOfName(downloadName), settings)
  throw invalid('there is no source: write source: [host/]namespace/type')
}

function fromSource(text: string, settings: CompleteSettings): ParsedSource {
  const source = parseProviderSource(text, settings)
  if (source.kind === 'path') return { kind: 'path', path: source.path, source: source.path }
  const { address } = source
  const short = `${address.namespace}/${address.type}`
  const builtIn = address.host === settings.defaultHost ? settings.builtIns.get(short) : undefined
  if (builtIn !== undefined)
    return { kind: 'built-in', address, builtIn, source: addressToText(address), type: address.type }
  return { kind: 'address', address, source: addressToText(address), type: address.type }
}

function fromUrl(text: string, request: InstallRequest, settings: CompleteSettings): ParsedSource {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw invalid(`cannot parse downloadUrl ${JSON.stringify(text)}: it is not a URL`)
  if (url.protocol === 'file:') return fromSource(url.href, settings)
  const last = fileNameOf(url)
  const name = request.downloadName ?? last
  const type =
    request.source !== undefined && request.source !== ''
      ? parseProviderAddress(request.source, settings).type
      : (parsePackageFileName(name) ?? parsePackageFileName(last))?.type
  return { kind: 'url', url, name: last, source: redactedUrl(url), ...(type !== undefined && { type }) }
}

// Percent escapes may encode slashes, which would let the file leave the directory that it is written to.
function fileNameOf(url: URL): string {
  const escaped = url.pathname.split('/').at(-1) ?? ''
  const refuse = (why: string) => invalid(`cannot use downloadUrl ${redactedUrl(url)}: ${why}`)
  let name: string
  try {
    name = decodeURIComponent(escaped)
  } catch {
    throw refuse(`its file name ${JSON.stringify(escaped)} has an escape that is not UTF-8`)
  }
  if (name === '.' || name === '..' || /[/\\\x00-\x1f\x7f]/.test(name))
    throw refuse(`its file name ${JSON.stringify(name)} must be a plain name, without slashes and control characters`)
  return name
}

// downloadName without a namespace means a provider of HashiCorp, with or without the prefix of its executable.
function sourceOfName(name: string): string {
  if (name.includes('/')) return name
  return `hashicorp/${name.startsWith(providerPrefix) ? name.slice(providerPrefix.length) : name}`
}

function invalid(message: string): InstallFailure {
  return new InstallFailure('InvalidSource', message)
}
