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
import { shownUrl } from './http-fetcher.ts'
import { InstallFailure } from './install-failure.ts'
import type { InstallRequest, PackageLock } from './installed-package.ts'
import type { BuiltInProvider, CompleteSettings } from './installer-settings.ts'
import { parsePackageFileName, providerPrefix } from './package-file-name.ts'

/** What a request asks for, read and checked. */
export type AskedPackage = (
  | { readonly kind: 'address'; readonly address: ProviderAddress }
  | { readonly kind: 'built-in'; readonly address: ProviderAddress; readonly builtIn: BuiltInProvider }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL; readonly name: string }
) & {
  /** The logical cluster that it is for. */
  readonly cluster: string
  /** As the lock has it. */
  readonly source: string
  readonly constraint: VersionConstraint
  readonly lock?: PackageLock
  /** For messages: `hashicorp/aws ~> 5.62`. */
  readonly shown: string
  /** The type of provider that the package must hold, where that is known. */
  readonly type?: string
}

/** Reads a request. Fails with InvalidSource, in words. */
export function readRequest(request: InstallRequest, settings: CompleteSettings): AskedPackage {
  try {
    const constraint = parseVersionConstraint(request.version ?? '')
    const what = whatIsAsked(request, settings)
    const shown = `${request.source ?? request.downloadName ?? what.source} ${constraintToText(constraint)}`.trim()
    const { cluster = 'root' } = request
    return { ...what, cluster, constraint, shown, ...(request.lock !== undefined && { lock: request.lock }) }
  } catch (error) {
    if (error instanceof SourceError) throw invalid(error.message)
    throw error
  }
}

/** The version of something that may not say which it is: what its name says, or what is asked for. */
export function versionOfUnnamed(name: string, constraint: VersionConstraint) {
  return parsePackageFileName(name)?.version ?? exactVersion(constraint)
}

type What = Omit<AskedPackage, 'cluster' | 'constraint' | 'lock' | 'shown'> &
  (
    | { readonly kind: 'address'; readonly address: ProviderAddress }
    | { readonly kind: 'built-in'; readonly address: ProviderAddress; readonly builtIn: BuiltInProvider }
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'url'; readonly url: URL; readonly name: string }
  )

function whatIsAsked(request: InstallRequest, settings: CompleteSettings): What {
  const { source, downloadName, downloadUrl } = request
  if (downloadUrl !== undefined && downloadUrl !== '') return fromUrl(downloadUrl, request, settings)
  if (source !== undefined && source !== '') return fromSource(source, settings)
  if (downloadName !== undefined && downloadName !== '') return fromSource(sourceOfName(downloadName), settings)
  throw invalid('there is no source: write source: [host/]namespace/type')
}

function fromSource(text: string, settings: CompleteSettings): What {
  const source = parseProviderSource(text, settings)
  if (source.kind === 'path') return { kind: 'path', path: source.path, source: source.path }
  const { address } = source
  const short = `${address.namespace}/${address.type}`
  const builtIn = address.host === settings.defaultHost ? settings.builtIns.get(short) : undefined
  if (builtIn !== undefined)
    return { kind: 'built-in', address, builtIn, source: addressToText(address), type: address.type }
  return { kind: 'address', address, source: addressToText(address), type: address.type }
}

function fromUrl(text: string, request: InstallRequest, settings: CompleteSettings): What {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw invalid(`cannot read the download's address ${JSON.stringify(text)}: it is no URL`)
  if (url.protocol === 'file:') return fromSource(url.href, settings)
  const last = fileNameOf(url)
  const name = request.downloadName ?? last
  const type =
    request.source !== undefined && request.source !== ''
      ? parseProviderAddress(request.source, settings).type
      : (parsePackageFileName(name) ?? parsePackageFileName(last))?.type
  return { kind: 'url', url, name: last, source: shownUrl(url), ...(type !== undefined && { type }) }
}

// Escapes may stand for slashes: the file must stay in the directory that it is written to.
function fileNameOf(url: URL): string {
  const escaped = url.pathname.split('/').at(-1) ?? ''
  const refuse = (why: string) => invalid(`cannot read the download's address ${shownUrl(url)}: ${why}`)
  let name: string
  try {
    name = decodeURIComponent(escaped)
  } catch {
    throw refuse(`its file name ${JSON.stringify(escaped)} has an escape that is no UTF-8`)
  }
  if (name === '.' || name === '..' || /[/\\\x00-\x1f\x7f]/.test(name))
    throw refuse(`its file name ${JSON.stringify(name)} must be a plain name, without slashes and control characters`)
  return name
}

// The older field names HashiCorp's providers as their files are named.
function sourceOfName(name: string): string {
  if (name.includes('/')) return name
  return `hashicorp/${name.startsWith(providerPrefix) ? name.slice(providerPrefix.length) : name}`
}

function invalid(message: string): InstallFailure {
  return new InstallFailure('InvalidSource', message)
}
