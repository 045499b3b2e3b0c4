import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  addressToText,
  type ProviderAddress,
  type Version,
  versionFromText,
  versionToText,
} from '../../source/index.ts'
import { InstallFailure } from '../install-failure.ts'
import type { CompleteSettings } from '../installer-settings.ts'
import { hashOf } from '../verify/file-hash.ts'
import type { FoundVersion, FoundVersions, ObtainedPackage, ObtainOptions, PackageFinder } from './found-package.ts'
import { parsePackageFileName } from './package-file-name.ts'

/** A directory in Terraform's packed or unpacked layout. Executables at its top level are served as `local/NAME`. */
export class FilesystemMirrorFinder implements PackageFinder {
  readonly #directory: string
  readonly #settings: CompleteSettings
  readonly name: string

  constructor(directory: string, settings: CompleteSettings) {
    this.#directory = directory
    this.#settings = settings
    this.name = `the directory ${directory}`
  }

  async find(address: ProviderAddress): Promise<FoundVersions> {
    const packages = await this.#packages(address)
    if (packages.length === 0)
      throw new InstallFailure('NotFound', `${this.name} has no package of ${addressToText(address)}`)
    return { versions: packages.map(found), warnings: [] }
  }

  async obtain(address: ProviderAddress, version: Version, options: ObtainOptions): Promise<ObtainedPackage> {
    const packages = await this.#packages(address)
    const text = versionToText(version)
    const chosen = packages.find(
      (one) => versionToText(one.version) === text && one.platform === this.#settings.platform,
    )
    if (chosen === undefined)
      throw new InstallFailure('VersionNotFound', `${this.name} no longer has ${addressToText(address)} ${text}`)
    if (chosen.kind !== 'archive') return { ...placeOf(chosen), warnings: [] }
    const sha256 = await hashOf(chosen.path, options.signal)
    const known = await options.isUnpacked(sha256)
    return { kind: 'archive', sha256, trusted: [], expected: [], warnings: [], ...(!known && { file: chosen.path }) }
  }

  async #packages(address: ProviderAddress): Promise<readonly MirroredPackage[]> {
    const { host, namespace, type } = address
    const own = join(this.#directory, host, namespace, type)
    const isLocal = namespace === 'local' && host === this.#settings.defaultHost
    const [packed, unpacked, loose] = await Promise.all([
      this.#packed(own, type),
      this.#unpacked(own),
      isLocal ? this.#loose(type) : [],
    ])
    // Unpacked first: of equal versions the first is chosen, and an archive would have to be unpacked.
    return [...unpacked, ...packed, ...loose]
  }

  async #packed(directory: string, type: string): Promise<readonly MirroredPackage[]> {
    return (await namesIn(directory)).flatMap((name): readonly MirroredPackage[] => {
      if (!name.endsWith('.zip')) return []
      const parsed = parsePackageFileName(name)
      if (parsed?.type !== type || parsed.version === undefined || parsed.platform === undefined) return []
      return [{ kind: 'archive', path: join(directory, name), version: parsed.version, platform: parsed.platform }]
    })
  }

  async #unpacked(directory: string): Promise<readonly MirroredPackage[]> {
    const versions = (await namesIn(directory)).flatMap((name) => {
      const version = versionFromText(name)
      return version === undefined ? [] : [{ version, directory: join(directory, name) }]
    })
    const packages = versions.map(async ({ version, directory: home }) =>
      (await namesIn(home)).map(
        (platform) => ({ kind: 'directory', path: join(home, platform), version, platform }) as const,
      ),
    )
    return (await Promise.all(packages)).flat()
  }

  async #loose(type: string): Promise<readonly MirroredPackage[]> {
    const { platform } = this.#settings
    const names = (await namesIn(this.#directory)).filter((name) => parsePackageFileName(name)?.type === type)
    const files = names.filter((name) => !name.endsWith('.zip'))
    return Promise.all(
      files.map(async (name): Promise<readonly MirroredPackage[]> => {
        const path = join(this.#directory, name)
        if (!(await stat(path)).isFile()) return []
        const version = parsePackageFileName(name)?.version
        return [{ kind: 'executable', path, version: version ?? unversioned, platform }]
      }),
    ).then((all) => all.flat())
  }
}

/** Stands for the version of an executable whose name has none. */
export const unversioned: Version = versionFromText('0.0.0')!

interface MirroredPackage {
  readonly kind: 'archive' | 'directory' | 'executable'
  readonly path: string
  readonly version: Version
  readonly platform: string
}

function found({ version, platform }: MirroredPackage): FoundVersion {
  return { version, platforms: [platform] }
}

function placeOf({ kind, path }: MirroredPackage) {
  return kind === 'directory'
    ? ({ kind, directory: path } as const)
    : ({ kind: 'executable', executable: path } as const)
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw InstallFailure.from(error, `read the directory ${directory}`)
  }
}
