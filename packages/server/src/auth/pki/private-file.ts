import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A directory that only its owner may enter. An existing one is narrowed to that. */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await narrow(directory, 0o700)
}

/**
 * Puts a file in place that only its owner may read: whole or not at all, also when the machine stops in the middle,
 * and never readable by others, not even for a moment.
 */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const draft = join(dirname(file), `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    await writeDurably(draft, content)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw new Error(`cannot write ${file}: ${messageOf(error)}`, { cause: error })
  }
  await syncDirectory(dirname(file))
}

/** The file's text, narrowed to its owner; undefined when there is no such file. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  try {
    const content = await readFile(file, 'utf8')
    await narrow(file, 0o600)
    return content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`cannot read ${file}: ${messageOf(error)}`, { cause: error })
  }
}

async function narrow(path: string, mode: number): Promise<void> {
  if (((await stat(path)).mode & 0o777 & ~mode) !== 0) await chmod(path, mode)
}

async function writeDurably(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

// The new name is durable only when the directory is. Some systems can't open one; there a rename is durable by itself.
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined)
  if (handle === undefined) return
  try {
    await handle.sync()
  } catch {
    // As above: nothing more can be done here.
  } finally {
    await handle.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
