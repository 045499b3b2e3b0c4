import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '@hykube/machinery/base'

/** Creates a directory with mode 0700, or changes an existing one to it. */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await narrow(directory, 0o700)
}

/**
 * Writes a file with mode 0600 atomically: it is never partially written, even after a crash, and never readable by
 * others.
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

/** Reads a file and changes its mode to 0600; undefined when it does not exist. */
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

// A rename is durable only after its directory was synced. Some systems cannot open a directory; there a rename is
// durable.
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined)
  if (handle === undefined) return
  try {
    await handle.sync()
  } catch {
    // Nothing more can be done here.
  } finally {
    await handle.close()
  }
}
