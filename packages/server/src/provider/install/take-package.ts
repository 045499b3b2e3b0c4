import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkExecutable, findExecutable } from './find-executable.ts'
import type { ObtainedPackage } from './found-package.ts'
import { InstallFailure } from './install-failure.ts'
import type { InstallProgress, PackageLock } from './installed-package.ts'
import type { CompleteSettings } from './installer-settings.ts'
import { checkLock, lockHashes } from './lock-check.ts'
import type { PackageCache } from './package-cache.ts'
import { directoryHash, fileHash, packageHash } from './package-hash.ts'
import { unzipPackage } from './unzip-package.ts'

/** What is known of the package that is taken. */
export interface TakeOptions {
  readonly cache: PackageCache
  readonly settings: CompleteSettings
  readonly workspace: string
  /** The logical cluster that it is for. */
  readonly cluster: string
  readonly version: string
  /** Where it was found, for people. */
  readonly origin: string
  readonly type?: string | undefined
  readonly lock?: PackageLock | undefined
  readonly progress: (progress: InstallProgress) => void
  readonly signal?: AbortSignal | undefined
}

/** A package in its place. */
export interface TakenPackage {
  readonly directory: string
  readonly executable: string
  readonly hash: string
  readonly content: 'directory' | 'executable'
  readonly schemaKey?: string
  readonly hashes: readonly string[]
  readonly warnings: readonly string[]
}

/** Checks an obtained package against its hashes and the lock, and puts an archive into the cache. */
export async function takePackage(obtained: ObtainedPackage, options: TakeOptions): Promise<TakenPackage> {
  switch (obtained.kind) {
    case 'archive':
      return takeArchive(obtained, options)
    case 'directory':
      return takeDirectory(obtained, options)
    case 'executable':
      return takeExecutable(obtained.executable, obtained.warnings, options)
  }
}

type Archive = Extract<ObtainedPackage, { kind: 'archive' }>
type Directory = Extract<ObtainedPackage, { kind: 'directory' }>

async function takeArchive(archive: Archive, options: TakeOptions): Promise<TakenPackage> {
  const { cache, lock, origin, type, signal } = options
  const known = await cache.unpackedFrom(archive.sha256)
  const found = known === undefined ? undefined : await cache.find(known, signal)
  const unpacked =
    found === undefined ? await unpack(archive, options) : { hash: known!, keep: async () => found, directory: found }
  const own = [unpacked.hash, `zh:${archive.sha256}`]
  checkExpected(archive, own, options)
  checkLock(lock, own, origin)
  // Looked for before it is kept: what can't be run must not stay.
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

async function unpack({ file, sha256 }: Archive, options: TakeOptions) {
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

function checkExpected({ expected }: Archive, own: readonly string[], { origin, version }: TakeOptions): void {
  const known = expected.filter((hash) => /^(h1|zh):/.test(hash))
  if (known.length === 0 || own.some((hash) => known.includes(hash))) return
  throw new InstallFailure(
    'ChecksumMismatch',
    `cannot trust version ${version}: ${origin} says that its hash is ${known.join(' or ')}, and it is ${own.join(' and ')}`,
  )
}

// Run where it is, unless it was brought: who unpacked it there wants it there, and it may be large.
async function takeDirectory(given: Directory, options: TakeOptions): Promise<TakenPackage> {
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

// A single executable is somebody's work in progress: it may change, and the lock follows.
async function takeExecutable(
  executable: string,
  warnings: readonly string[],
  { cluster, lock, origin, signal }: TakeOptions,
): Promise<TakenPackage> {
  await checkExecutable(executable)
  const hash = await fileHash(executable, signal)
  const changed = lock !== undefined && !lock.hashes.includes(hash)
  const said = changed ? [`${executable} of ${origin} has changed since it was locked`] : []
  return {
    directory: dirname(executable),
    executable,
    hash,
    content: 'executable',
    // A script may run other files, which its hash does not cover: two equal ones need not be the same provider.
    schemaKey: JSON.stringify([hash, cluster, executable]),
    hashes: [hash],
    warnings: [...warnings, ...said],
  }
}
