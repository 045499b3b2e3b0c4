import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { abortReason } from '@hykube/machinery/base'
import {
  allowsVersion,
  constraintToText,
  parseVersion,
  parseVersionConstraint,
  versionToText,
} from '../source/index.ts'
import { HttpFetcher } from './fetch/http-fetcher.ts'
import { type Candidate, chooseVersion } from './find/choose-version.ts'
import { unversioned } from './find/filesystem-mirror-finder.ts'
import { findExecutable } from './find/find-executable.ts'
import type { ObtainedPackage, ObtainOptions } from './find/found-package.ts'
import { PackageFinders } from './find/package-finders.ts'
import { isArchive, obtainFromUrl } from './find/url-package.ts'
import { InstallFailure, withOperation } from './install-failure.ts'
import type {
  InstalledPackage,
  InstallOptions,
  InstallProgress,
  InstallRequest,
  PackageLock,
  ResolvedPackage,
} from './installed-package.ts'
import { type CompleteSettings, completeSettings, type InstallerSettings } from './installer-settings.ts'
import { applicableLock } from './lock-check.ts'
import { PackageCache } from './package-cache.ts'
import { type ParsedRequest, parseRequest, versionFromNameOrConstraint } from './parsed-request.ts'
import { SharedWork } from './shared-work.ts'
import type { SourceGrant } from './source-policy.ts'
import { type StoredPackage, storePackage } from './store-package.ts'
import { hashOf } from './verify/file-hash.ts'
import { combinedHash } from './verify/package-hash.ts'

/**
 * Finds, verifies, unpacks and caches the packages of providers. Concurrent calls for the same request share one
 * installation. Fails with InstallFailure, and then no part of the package remains on disk.
 */
export class ProviderInstaller {
  readonly #settings: CompleteSettings
  readonly #fetcher: HttpFetcher
  readonly #finders: PackageFinders
  readonly #cache: PackageCache
  readonly #shared = new SharedWork<InstalledPackage, InstallProgress>()

  constructor(settings: InstallerSettings) {
    this.#settings = completeSettings(settings)
    this.#fetcher = new HttpFetcher(this.#settings)
    this.#finders = new PackageFinders(this.#fetcher, this.#settings)
    this.#cache = new PackageCache(this.#settings.cacheDirectory)
  }

  /** Determines the package that an installation would choose, without downloading it. */
  async resolve(request: InstallRequest, { signal }: Pick<InstallOptions, 'signal'> = {}): Promise<ResolvedPackage> {
    return this.#attempt(request, signal, async (asked) => {
      const locked = applicableLock(asked) !== undefined
      this.#grant(asked)
      if (asked.kind === 'built-in') {
        checkBuiltIn(asked)
        return resolved(asked, asked.builtIn.version, 'this server', false, [])
      }
      if (asked.kind !== 'address') {
        const name = asked.kind === 'path' ? basename(asked.path) : asked.name
        return resolved(asked, unnamedVersion(asked, name), asked.source, locked, [])
      }
      const { candidate, warnings } = await this.#choose(asked, this.#grant(asked), signal)
      return resolved(asked, versionToText(candidate.version), candidate.finder.name, locked, warnings)
    })
  }

  /** Makes a package ready to run: from the cache, or by downloading and verifying it. */
  install(request: InstallRequest, { signal, progress }: InstallOptions = {}): Promise<InstalledPackage> {
    return this.#attempt(request, signal, (asked) =>
      this.#shared.run(
        JSON.stringify([
          request.cluster,
          request.source,
          request.version,
          request.downloadUrl,
          request.downloadName,
          request.lock,
        ]),
        (shared, tell) => this.#install(asked, shared, tell),
        { signal, progress },
      ),
    )
  }

  /** Closes kept-alive connections; installations in progress may fail. */
  close(): void {
    this.#fetcher.close()
  }

  async #attempt<T>(
    request: InstallRequest,
    signal: AbortSignal | undefined,
    work: (asked: ParsedRequest) => Promise<T>,
  ): Promise<T> {
    const asked = parseRequest(request, this.#settings)
    try {
      return await work(asked)
    } catch (error) {
      const attempt = `install ${asked.shown}`
      if (error instanceof InstallFailure || signal?.aborted !== true) throw withOperation(error, attempt)
      const { message } = abortReason(signal)
      throw new InstallFailure('Canceled', `cannot ${attempt}: it was canceled: ${message}`, { cause: error })
    }
  }

  async #install(
    asked: ParsedRequest,
    signal: AbortSignal,
    progress: (progress: InstallProgress) => void,
  ): Promise<InstalledPackage> {
    progress({ kind: 'resolving', source: asked.source })
    const grant = this.#grant(asked)
    const installed =
      asked.kind === 'built-in'
        ? await builtIn(asked, signal)
        : ((await this.#fromCache(asked, signal)) ?? (await this.#obtain(asked, grant, signal, progress)))
    progress({ kind: 'installed', version: installed.version })
    return installed
  }

  // Called before any lookup, also in the cache, because a cached package may belong to another logical cluster.
  #grant(asked: ParsedRequest): SourceGrant {
    const grant = this.#settings.sources(asked)
    if (grant !== 'none') return grant
    const flag = asked.cluster === 'root' ? '' : `${asked.cluster}=`
    const source = asked.kind === 'path' ? `file://${asked.source}` : asked.source
    throw new InstallFailure(
      'SourceNotAllowed',
      `the logical cluster ${JSON.stringify(asked.cluster)} may not install ${source}; an operator allows it with --provider-sources ${flag}${source}`,
    )
  }

  // A lock pins content by hash, so a cached package with that hash needs no registry and no signature.
  async #fromCache(asked: ParsedRequest, signal: AbortSignal): Promise<InstalledPackage | undefined> {
    const lock = applicableLock(asked)
    if (lock === undefined || asked.kind === 'path') return undefined
    for (const hash of lock.hashes.filter((one) => one.startsWith('h1:'))) {
      const isKnown = await this.#cache.hasOrigin(asked.cluster, asked.source, hash)
      const directory = isKnown ? await this.#cache.find(hash, signal) : undefined
      if (directory === undefined) continue
      const executable = await findExecutable(directory, asked.type)
      const taken = { directory, executable, hash, content: 'directory', hashes: lock.hashes, warnings: [] } as const
      return installedFrom(asked, lock.version, 'the cache', taken)
    }
    return undefined
  }

  async #obtain(
    asked: Exclude<ParsedRequest, { kind: 'built-in' }>,
    grant: SourceGrant,
    signal: AbortSignal,
    progress: (progress: InstallProgress) => void,
  ): Promise<InstalledPackage> {
    const lock = applicableLock(asked)
    const isUnpacked = async (sha256: string) => {
      const hash = await this.#cache.unpackedFrom(sha256)
      return hash !== undefined && (await this.#cache.find(hash, signal)) !== undefined
    }
    return this.#cache.withWorkspace(async (workspace) => {
      const options = { workspace, isUnpacked, progress, signal, allowsUnsigned: grant === 'any' }
      const { obtained, version, origin, warnings } = await this.#obtainVersion(asked, lock, grant, options)
      const { settings, cache } = { settings: this.#settings, cache: this.#cache }
      const taken = await storePackage(obtained, {
        ...{ cache, settings, workspace, version, origin, progress, signal, lock },
        cluster: asked.cluster,
        type: asked.type,
      })
      await this.#cache.recordOrigin(asked.cluster, asked.source, taken.hash)
      return installedFrom(asked, version, origin, { ...taken, warnings: [...warnings, ...taken.warnings] })
    })
  }

  async #obtainVersion(
    asked: Exclude<ParsedRequest, { kind: 'built-in' }>,
    lock: PackageLock | undefined,
    grant: SourceGrant,
    options: ObtainOptions & { readonly signal: AbortSignal },
  ): Promise<ObtainedVersion> {
    switch (asked.kind) {
      case 'address': {
        const { candidate, warnings } = await this.#choose(asked, grant, options.signal)
        const obtained = await candidate.finder.obtain(asked.address, candidate.version, options)
        return { obtained, version: versionToText(candidate.version), origin: candidate.finder.name, warnings }
      }
      case 'path': {
        const obtained = await obtainPath(asked.path, options.signal)
        return { obtained, version: unnamedVersion(asked, basename(asked.path)), origin: asked.path, warnings: [] }
      }
      case 'url': {
        const version = unnamedVersion(asked, asked.name)
        const { url, name, type } = asked
        const direct = { url, name, type, isLocked: lock !== undefined }
        const obtained = await obtainFromUrl(direct, this.#fetcher, options)
        return { obtained, version, origin: asked.source, warnings: [] }
      }
    }
  }

  async #choose(
    asked: Extract<ParsedRequest, { kind: 'address' }>,
    grant: SourceGrant,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly candidate: Candidate; readonly warnings: readonly string[] }> {
    const lock = applicableLock(asked)
    const { candidates, warnings } = await this.#finders.find(asked.address, {
      signal,
      directoriesOnly: grant === 'provider-directory',
    })
    const constraint = lock === undefined ? asked.constraint : parseVersionConstraint(lock.version)
    try {
      return { candidate: chooseVersion(candidates, constraint, this.#settings.platform), warnings }
    } catch (error) {
      if (lock === undefined || !(error instanceof InstallFailure)) throw error
      const message = `version ${lock.version} is locked, and ${error.message}; remove the lock to choose another version`
      throw new InstallFailure(error.reason, message, { cause: error })
    }
  }
}

interface ObtainedVersion {
  readonly obtained: ObtainedPackage
  readonly version: string
  readonly origin: string
  readonly warnings: readonly string[]
}

function resolved(
  { source }: ParsedRequest,
  version: string,
  origin: string,
  locked: boolean,
  warnings: readonly string[],
): ResolvedPackage {
  return { source, version, locked, origin, warnings }
}

function installedFrom(
  asked: ParsedRequest,
  version: string,
  origin: string,
  taken: Omit<StoredPackage, 'content'> & Partial<Pick<StoredPackage, 'content'>>,
): InstalledPackage {
  const { source } = asked
  const { hashes, ...rest } = taken
  return { source, version, origin, ...rest, lock: { source, version, hashes } }
}

function checkBuiltIn(asked: Extract<ParsedRequest, { kind: 'built-in' }>): void {
  if (allowsVersion(asked.constraint, parseVersion(asked.builtIn.version))) return
  throw new InstallFailure(
    'VersionNotFound',
    `it is built in at version ${asked.builtIn.version}, which does not satisfy ${constraintToText(asked.constraint)}; remove spec.version`,
  )
}

// The lock is not checked: a built-in provider changes with every upgrade of the server.
async function builtIn(
  asked: Extract<ParsedRequest, { kind: 'built-in' }>,
  signal: AbortSignal,
): Promise<InstalledPackage> {
  checkBuiltIn(asked)
  const { executable, version, files = [rootOf(executable)] } = asked.builtIn
  const hash = await combinedHash(files, signal)
  const taken = { directory: dirname(executable), executable, hash, hashes: [hash], warnings: [] }
  return { ...installedFrom(asked, version, 'this server', taken), builtIn: true }
}

function rootOf(executable: string): string {
  const directory = dirname(executable)
  return basename(directory) === 'bin' ? dirname(directory) : directory
}

async function obtainPath(path: string, signal: AbortSignal): Promise<ObtainedPackage> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new InstallFailure('NotFound', `there is no file or directory ${path}`, { cause })
  })
  if (info.isDirectory()) return { kind: 'executable', executable: await findExecutable(path), warnings: [] }
  if (!(await isArchive(path))) return { kind: 'executable', executable: path, warnings: [] }
  return { kind: 'archive', file: path, sha256: await hashOf(path, signal), trusted: [], expected: [], warnings: [] }
}

function unnamedVersion(asked: ParsedRequest, name: string): string {
  const version = versionFromNameOrConstraint(name, asked.constraint) ?? unversioned
  if (version !== unversioned && !allowsVersion(asked.constraint, version))
    throw new InstallFailure(
      'VersionNotFound',
      `${asked.source} is version ${versionToText(version)}, which does not satisfy ${constraintToText(asked.constraint)}`,
    )
  return versionToText(version)
}
