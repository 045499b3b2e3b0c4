import { chmod, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type HttpFetcher, redactedUrl } from '../fetch/http-fetcher.ts'
import { InstallFailure } from '../install-failure.ts'
import type { ObtainedPackage, ObtainOptions } from './found-package.ts'
import { providerPrefix } from './package-file-name.ts'

export interface UrlPackage {
  readonly url: URL
  /** The file name, which is the last segment of the URL's path. */
  readonly name: string
  readonly type?: string | undefined
  readonly isLocked: boolean
}

/** Downloads a package from `spec.downloadUrl`: a zip archive, or a single executable. */
export async function obtainFromUrl(
  { url, name, type, isLocked }: UrlPackage,
  fetcher: HttpFetcher,
  options: ObtainOptions,
): Promise<ObtainedPackage> {
  const wanted = wantedChecksum(url)
  if (wanted === undefined && !options.allowsUnsigned)
    throw new InstallFailure(
      'SignatureMissing',
      `cannot verify ${redactedUrl(url)}: it has neither a checksum nor a signature; append #sha256=CHECKSUM to the URL, or allow the source with --provider-sources`,
    )
  const warnings =
    wanted === undefined && !isLocked
      ? [`${redactedUrl(url)} was not verified: its URL has no #sha256=, and it is not signed`]
      : []
  const expected = wanted === undefined ? [] : [`zh:${wanted}`]
  if (wanted !== undefined && (await options.isUnpacked(wanted)))
    return { kind: 'archive', sha256: wanted, trusted: [], expected, warnings }
  const file = join(options.workspace, 'download')
  const { sha256 } = await fetcher.download(url, {
    what: `cannot download ${redactedUrl(url)}`,
    file,
    signal: options.signal,
    received: (received, total) =>
      options.progress({ kind: 'downloading', url: redactedUrl(url), received, ...(total !== undefined && { total }) }),
  })
  if (wanted !== undefined && wanted !== sha256)
    throw new InstallFailure(
      'ChecksumMismatch',
      `cannot verify ${redactedUrl(url)}: its SHA-256 is ${sha256}, and the URL demands ${wanted}`,
    )
  if (await isArchive(file)) return { kind: 'archive', file, sha256, trusted: [], expected, warnings }
  const directory = await moveIntoOwnDirectory(file, options.workspace, executableName(name, type))
  return { kind: 'directory', directory, downloaded: sha256, warnings }
}

/** Returns whether a file starts with the signature of a zip archive, `PK`. */
export async function isArchive(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1').startsWith('PK')
  } finally {
    await handle.close()
  }
}

function wantedChecksum(url: URL): string | undefined {
  if (url.hash === '') return undefined
  const match = /^#sha256=([0-9a-fA-F]{64})$/.exec(url.hash)
  if (match === null)
    throw new InstallFailure(
      'InvalidSource',
      `cannot parse the fragment of ${redactedUrl(url)}: it must be #sha256= and 64 hex digits`,
    )
  return match[1]!.toLowerCase()
}

function executableName(name: string, type: string | undefined): string {
  if (name.startsWith(providerPrefix) && !name.endsWith('.zip')) return name
  return `${providerPrefix}${type ?? 'unnamed'}`
}

async function moveIntoOwnDirectory(file: string, workspace: string, name: string): Promise<string> {
  const directory = join(workspace, 'alone')
  await mkdir(directory)
  await rename(file, join(directory, name))
  await chmod(join(directory, name), 0o755)
  return directory
}
