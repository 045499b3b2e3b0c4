import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hashOf } from './file-hash.ts'

/** The SHA-256 of each file in hexadecimal, by its path with slashes. */
export type FileHashes = ReadonlyMap<string, string>

/** Computes `h1:` as golang.org/x/mod/sumdb/dirhash does. An archive and its unpacked directory have the same hash. */
export function packageHash(files: FileHashes): string {
  const hash = createHash('sha256')
  const paths = [...files.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  for (const path of paths) {
    // The hashed text has one line for each file, so a line break in a name would make it ambiguous.
    if (path.includes('\n')) throw new Error(`the file name ${JSON.stringify(path)} must not have a line break`)
    hash.update(`${files.get(path)}  ${path}\n`)
  }
  return `h1:${hash.digest('base64')}`
}

/** Computes `h1:` of the files in a directory. */
export async function directoryHash(directory: string, signal?: AbortSignal): Promise<string> {
  return packageHash(await hashesIn(directory, { signal }))
}

/** Computes `h1:` of one file as if it were the only one in a directory. */
export async function fileHash(file: string, signal?: AbortSignal): Promise<string> {
  return packageHash(new Map([[basename(file), await hashOf(file, signal)]]))
}

/** Computes `h1:` of several files and directories together, without their node_modules. */
export async function combinedHash(roots: readonly string[], signal?: AbortSignal): Promise<string> {
  const all = new Map<string, string>()
  for (const [i, root] of roots.entries()) {
    const isDirectory = (await stat(root)).isDirectory()
    const hashes = isDirectory
      ? await hashesIn(root, { skipped: installed, signal })
      : new Map([[basename(root), await hashOf(root, signal)]])
    for (const [path, hash] of hashes) all.set(roots.length === 1 ? path : `${i}/${path}`, hash)
  }
  return packageHash(all)
}

const installed: ReadonlySet<string> = new Set(['node_modules'])

interface Walk {
  readonly prefix?: string
  readonly skipped?: ReadonlySet<string>
  readonly signal?: AbortSignal | undefined
}

async function hashesIn(directory: string, walk: Walk): Promise<Map<string, string>> {
  const { prefix = '', skipped, signal } = walk
  const hashes = new Map<string, string>()
  for (const name of await readdir(directory)) {
    if (skipped?.has(name) === true) continue
    const path = join(directory, name)
    const shown = `${prefix}${name}`
    const info = await stat(path)
    if (info.isFile()) hashes.set(shown, await hashOf(path, signal))
    else if (info.isDirectory())
      for (const [inner, hash] of await hashesIn(path, { ...walk, prefix: `${shown}/` })) hashes.set(inner, hash)
  }
  return hashes
}
