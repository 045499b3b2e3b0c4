import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { directoryHash } from './package-hash.ts'

/**
 * Packages on this machine, each in a directory named by the hash of its files. A package appears whole or not at all;
 * several servers may share one cache, and the first that has a package ready wins.
 */
export class PackageCache {
  readonly #root: string
  #isSwept = false

  constructor(root: string) {
    this.#root = root
  }

  /** Where a package of this `h1:` hash is, or would be. */
  directoryOf(hash: string): string {
    return join(this.#root, 'packages', hexOf(hash))
  }

  /** The directory of a package that is here and unharmed. One that is not what it should be is taken away. */
  async find(hash: string, signal?: AbortSignal): Promise<string | undefined> {
    const directory = this.directoryOf(hash)
    if (!(await exists(directory))) return undefined
    if ((await directoryHash(directory, signal)) === hash) return directory
    await this.#discard(directory)
    return undefined
  }

  /** The hash of what an archive unpacked to, if that is still here. */
  async unpackedFrom(sha256: string): Promise<string | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
    try {
      const hash = (await readFile(this.#archiveFile(sha256), 'utf8')).trim()
      return (await exists(this.directoryOf(hash))) ? hash : undefined
    } catch {
      return undefined
    }
  }

  /** Notes that a logical cluster got a package from a source. */
  async noteOrigin(cluster: string, source: string, hash: string): Promise<void> {
    await mkdir(join(this.#root, 'origins'), { recursive: true, mode: 0o700 })
    await writeFile(this.#originFile(cluster, source, hash), '')
  }

  /** Whether a logical cluster got this package from this source: a lock that only names its hash does not get it. */
  hasOrigin(cluster: string, source: string, hash: string): Promise<boolean> {
    return exists(this.#originFile(cluster, source, hash))
  }

  #originFile(...facts: readonly string[]): string {
    return join(this.#root, 'origins', createHash('sha256').update(JSON.stringify(facts)).digest('hex'))
  }

  /** Lets work fill a directory of its own, which is gone afterwards whatever happens. */
  async withWorkspace<T>(work: (directory: string) => Promise<T>): Promise<T> {
    await this.#sweep()
    const directory = join(this.#root, 'tmp', `${process.pid}-${randomBytes(8).toString('hex')}`)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    try {
      return await work(directory)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }

  /** Takes a directory, whose files have this hash, into the cache; the archive that it came from is remembered. */
  async keep(directory: string, hash: string, sha256: string): Promise<string> {
    const target = this.directoryOf(hash)
    await mkdir(join(this.#root, 'packages'), { recursive: true, mode: 0o711 })
    await makeReadable(directory)
    try {
      await rename(directory, target)
    } catch (error) {
      // Somebody else was first, with the same content.
      if (!occupied.has((error as NodeJS.ErrnoException).code ?? '') || (await this.find(hash)) === undefined)
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

  // Moved away first, so that nobody meets half of it.
  async #discard(directory: string): Promise<void> {
    await this.withWorkspace(async (workspace) => {
      await rename(directory, join(workspace, 'discarded')).catch(() => {})
    })
  }

  // What a server left that was killed in the middle.
  async #sweep(): Promise<void> {
    if (this.#isSwept) return
    this.#isSwept = true
    const scratch = join(this.#root, 'tmp')
    const names = await readdir(scratch).catch(() => [])
    for (const name of names) {
      if (!isAlive(Number.parseInt(name, 10))) await rm(join(scratch, name), { recursive: true, force: true })
    }
  }
}

// Packages are public, and run by users of their own; whatever the umask of the server is.
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const isExecutable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0
    await chmod(path, isExecutable ? 0o755 : 0o644)
  }
}

const occupied = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM'])

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
