import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkExecutable, findExecutable } from './find/find-executable.ts'
import type { ObtainedPackage } from './find/found-package.ts'
import { InstallFailure } from './install-failure.ts'
import type { InstallProgress, PackageLock } from './installed-package.ts'
import type { CompleteSettings } from './installer-settings.ts'
import { checkLock, lockHashes } from './lock-check.ts'
import type { PackageCache } from './package-cache.ts'
import { unzipPackage } from './unzip-package.ts'
import { directoryHash, fileHash, packageHash } from './verify/package-hash.ts'

/** The context of one obtained package. */
export interface StoreOptions {
  readonly cache: PackageCache
  readonly settings: CompleteSettings
  readonly workspace: string
  /** The logical cluster that the package is installed for. */
  readonly cluster: string
  readonly version: string
  /** The finder, path or URL that it came from, for messages. */
  readonly origin: string
  readonly type?: string | undefined
  readonly lock?: PackageLock | undefined
  readonly progress: (progress: InstallProgress) => void
  readonly signal?: AbortSignal | undefined
}

/** A verified package at its final path. */
export interface StoredPackage {
  readonly directory: string
  readonly executable: string
  readonly hash: string
  readonly content: 'directory' | 'executable'
  readonly schemaKey?: string
  readonly hashes: readonly string[]
  readonly warnings: readonly string[]
}

/** Verifies an obtained package against its expected hashes and the lock; moves archives and downloads into the cache. */
export async function storePackage(obtained: ObtainedPackage, options: StoreOptions): Promise<StoredPackage> {
  switch (obtained.kind) {
    case 'archive':
      return storeArchive(obtained, options)
    case 'directory':
      return storeDirectory(obtained, options)
    case 'executable':
      return storeExecutable(obtained.executable, obtained.warnings, options)
  }
}

type Archive = Extract<ObtainedPackage, { kind: 'archive' }>
type Directory = Extract<ObtainedPackage, { kind: 'directory' }>

async function storeArchive(archive: Archive, options: StoreOptions): Promise<StoredPackage> {
  const { cache, lock, origin, type, signal } = options
  const known = await cache.unpackedFrom(archive.sha256)
  const found = known === undefined ? undefined : await cache.find(known, signal)
  const unpacked =
    found === undefined ? await unpack(archive, options) : { hash: known!, keep: async () => found, directory: found }
  const own = [unpacked.hash, `zh:${archive.sha256}`]
  checkExpected(archive, own, options)
  checkLock(lock, own, origin)
  // Checked before the package enters the cache, because a package without an executable must not stay on disk.
  await findExecutable(unpacked.directory, type)
  const directory = await unpacked.keep()
  return {
    directory,
    executable: await findExecutable(directory, type),
    hash: unpacked.hash,
    content: 'directory',
    hashes: lockHashes(own, archive.trusted, lock?.hashes ?? []),
    warnings: archive.warnings,
  }
}

async function unpack({ file, sha256 }: Archive, options: StoreOptions) {
  const { cache, settings, workspace, version, progress, signal, origin } = options
  if (file === undefined)
    throw new InstallFailure('StorageFailed', `the unpacked files of ${origin} were damaged and removed; try again`)
  progress({ kind: 'unpacking', version })
  const directory = join(workspace, 'unpacked')
  await mkdir(directory)
  try {
    const hash = packageHash(await unzipPackage(file, directory, { limits: settings.limits, signal }))
    return { hash, directory, keep: () => cache.keep(directory, hash, sha256) }
  } catch (error) {
    const failure = InstallFailure.from(error, 'unpack the archive')
    const message = `cannot unpack the archive of ${origin}: ${failure.message}`
    throw new InstallFailure(failure.reason, message, { cause: error })
  }
}

function checkExpected({ expected }: Archive, own: readonly string[], { origin, version }: StoreOptions): void {
  const known = expected.filter((hash) => /^(h1|zh):/.test(hash))
  if (known.length === 0 || own.some((hash) => known.includes(hash))) return
  throw new InstallFailure(
    'ChecksumMismatch',
    `cannot verify version ${version}: ${origin} lists the hash ${known.join(' or ')}, and the package has ${own.join(' and ')}`,
  )
}

// An unpacked directory of a mirror is used in place and not copied, because it may be large. A download is moved into the cache.
async function storeDirectory(given: Directory, options: StoreOptions): Promise<StoredPackage> {
  const { cache, lock, origin, type, signal } = options
  await findExecutable(given.directory, type)
  const hash = await directoryHash(given.directory, signal)
  const own = given.downloaded === undefined ? [hash] : [hash, `zh:${given.downloaded}`]
  checkLock(lock, own, origin)
  const directory =
    given.downloaded === undefined ? given.directory : await cache.keep(given.directory, hash, given.downloaded)
  const executable = await findExecutable(directory, type)
  const hashes = lockHashes(own, lock?.hashes ?? [])
  return { directory, executable, hash, content: 'directory', hashes, warnings: given.warnings }
}

// A single executable is a provider under development: it may change, so a differing lock gives a warning and is replaced.
async function storeExecutable(
  executable: string,
  warnings: readonly string[],
  { cluster, lock, origin, signal }: StoreOptions,
): Promise<StoredPackage> {
  await checkExecutable(executable)
  const hash = await fileHash(executable, signal)
  const changed = lock !== undefined && !lock.hashes.includes(hash)
  const said = changed ? [`${executable} of ${origin} has changed since it was locked`] : []
  return {
    directory: dirname(executable),
    executable,
    hash,
    content: 'executable',
    // The executable may be a script that runs other files, so equal hashes don't prove equal schemas.
    schemaKey: JSON.stringify([hash, cluster, executable]),
    hashes: [hash],
    warnings: [...warnings, ...said],
  }
}
