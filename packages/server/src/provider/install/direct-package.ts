import { chmod, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObtainedPackage, ObtainOptions } from './found-package.ts'
import { type HttpFetcher, shownUrl } from './http-fetcher.ts'
import { InstallFailure } from './install-failure.ts'
import { providerPrefix } from './package-file-name.ts'

export interface DirectPackage {
  readonly url: URL
  /** The last part of the address. */
  readonly name: string
  readonly type?: string | undefined
  readonly isLocked: boolean
}

/** Brings a package from an address that somebody gave: an archive, or an executable by itself. */
export async function obtainDirectly(
  { url, name, type, isLocked }: DirectPackage,
  fetcher: HttpFetcher,
  options: ObtainOptions,
): Promise<ObtainedPackage> {
  const wanted = wantedChecksum(url)
  if (wanted === undefined && !options.allowsUnsigned)
    throw new InstallFailure(
      'SignatureMissing',
      `cannot trust ${shownUrl(url)}: nothing vouches for it; end its address with #sha256= and its checksum, or allow it with --provider-sources`,
    )
  const warnings =
    wanted === undefined && !isLocked
      ? [`${shownUrl(url)} was not checked: its address has no #sha256=, and it is not signed`]
      : []
  const expected = wanted === undefined ? [] : [`zh:${wanted}`]
  if (wanted !== undefined && (await options.isUnpacked(wanted)))
    return { kind: 'archive', sha256: wanted, trusted: [], expected, warnings }
  const file = join(options.workspace, 'download')
  const { sha256 } = await fetcher.download(url, {
    what: `cannot download ${shownUrl(url)}`,
    file,
    signal: options.signal,
    received: (received, total) =>
      options.progress({ kind: 'downloading', url: shownUrl(url), received, ...(total !== undefined && { total }) }),
  })
  if (wanted !== undefined && wanted !== sha256)
    throw new InstallFailure(
      'ChecksumMismatch',
      `cannot trust ${shownUrl(url)}: it has the SHA-256 ${sha256}, and ${wanted} was asked for`,
    )
  if (await isArchive(file)) return { kind: 'archive', file, sha256, trusted: [], expected, warnings }
  const directory = await aloneInDirectory(file, options.workspace, executableName(name, type))
  return { kind: 'directory', directory, downloaded: sha256, warnings }
}

/** Whether a file is a zip archive, by how it begins. */
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
      `cannot read the end of ${shownUrl(url)}: it must be #sha256= and 64 hex digits`,
    )
  return match[1]!.toLowerCase()
}

function executableName(name: string, type: string | undefined): string {
  if (name.startsWith(providerPrefix) && !name.endsWith('.zip')) return name
  return `${providerPrefix}${type ?? 'unnamed'}`
}

async function aloneInDirectory(file: string, workspace: string, name: string): Promise<string> {
  const directory = join(workspace, 'alone')
  await mkdir(directory)
  await rename(file, join(directory, name))
  await chmod(join(directory, name), 0o755)
  return directory
}
