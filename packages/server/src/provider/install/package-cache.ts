import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { directoryHash } from './verify/package-hash.ts'

/**
 * Packages on disk, each in a directory named by the hash of its files. A directory is filled elsewhere and renamed into
 * place, so a package is complete or absent; several servers may share one cache.
 */
export class PackageCache {
  readonly #root: string
  #hasRemovedStale = false

  constructor(root: string) {
    this.#root = root
  }

  /** The directory for a package with this `h1:` hash; it need not exist. */
  directoryOf(hash: string): string {
    return join(this.#root, 'packages', hexOf(hash))
  }

  /** Finds a package and verifies its files. A damaged one is removed. */
  async find(hash: string, signal?: AbortSignal): Promise<string | undefined> {
    const directory = this.directoryOf(hash)
    if (!(await exists(directory))) return undefined
    if ((await directoryHash(directory, signal)) === hash) return directory
    await this.#discard(directory)
    return undefined
  }

  /** The `h1:` hash of an archive's unpacked files, if the cache still has them. */
  async unpackedFrom(sha256: string): Promise<string | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
    try {
      const hash = (await readFile(this.#archiveFile(sha256), 'utf8')).trim()
      return (await exists(this.directoryOf(hash))) ? hash : undefined
    } catch {
      return undefined
    }
  }

  /** Records that a logical cluster obtained a package from a source. */
  async recordOrigin(cluster: string, source: string, hash: string): Promise<void> {
    await mkdir(join(this.#root, 'origins'), { recursive: true, mode: 0o700 })
    await writeFile(this.#originFile(cluster, source, hash), '')
  }

  /**
   * Returns whether a logical cluster obtained this package from this source before. Without this check, a tenant could write
   * the hash of another tenant's package into its lock and run that package.
   */
  hasOrigin(cluster: string, source: string, hash: string): Promise<boolean> {
    return exists(this.#originFile(cluster, source, hash))
  }

  #originFile(...facts: readonly string[]): string {
    return join(this.#root, 'origins', createHash('sha256').update(JSON.stringify(facts)).digest('hex'))
  }

  /** Runs work with a temporary directory that is removed afterwards, also on failure. */
  async withWorkspace<T>(work: (directory: string) => Promise<T>): Promise<T> {
    await this.#removeStaleWorkspaces()
    const directory = join(this.#root, 'tmp', `${process.pid}-${randomBytes(8).toString('hex')}`)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    try {
      return await work(directory)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }

  /** Moves a directory whose files have this hash into the cache, and records the archive that it was unpacked from. */
  async keep(directory: string, hash: string, sha256: string): Promise<string> {
    const target = this.directoryOf(hash)
    await mkdir(join(this.#root, 'packages'), { recursive: true, mode: 0o711 })
    await makeReadable(directory)
    try {
      await rename(directory, target)
    } catch (error) {
      // Another server may have stored the same package in the meantime; its directory is verified and used.
      if (!targetExistsCodes.has((error as NodeJS.ErrnoException).code ?? '') || (await this.find(hash)) === undefined)
        throw error
    }
    await this.#remember(sha256, hash)
    return target
  }

  async #remember(sha256: string, hash: string): Promise<void> {
    const file = this.#archiveFile(sha256)
    await mkdir(join(this.#root, 'archives'), { recursive: true })
    const scratch = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
    await writeFile(scratch, `${hash}\n`)
    await rename(scratch, file)
  }

  #archiveFile(sha256: string): string {
    return join(this.#root, 'archives', sha256)
  }

  // Renamed before it is deleted, because a concurrent reader must not see a half-deleted package.
  async #discard(directory: string): Promise<void> {
    await this.withWorkspace(async (workspace) => {
      await rename(directory, join(workspace, 'discarded')).catch(() => {})
    })
  }

  // Removes workspaces of servers that were killed during an installation; their names start with the process id.
  async #removeStaleWorkspaces(): Promise<void> {
    if (this.#hasRemovedStale) return
    this.#hasRemovedStale = true
    const scratch = join(this.#root, 'tmp')
    const names = await readdir(scratch).catch(() => [])
    for (const name of names) {
      if (!isAlive(Number.parseInt(name, 10))) await rm(join(scratch, name), { recursive: true, force: true })
    }
  }
}

// Isolated provider processes run as other users, which must be able to read and execute the files whatever the server's umask is.
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const isExecutable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0
    await chmod(path, isExecutable ? 0o755 : 0o644)
  }
}

const targetExistsCodes = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM'])

function hexOf(hash: string): string {
  return Buffer.from(hash.replace(/^h1:/, ''), 'base64').toString('hex')
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
