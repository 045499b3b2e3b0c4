import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StorageError } from '../storage-error.ts'
import { createMasterKey, formatMasterKey, type MasterKeys, parseMasterKeys } from './master-key.ts'

/** Where master keys come from. Read at start, and again when the ring turns out to be wrapped by an unknown key. */
export interface MasterKeySource {
  /** What it is, for messages: never the key. */
  readonly description: string
  read(): Promise<MasterKeys>
  /**
   * Replaces the key by a new one where the server keeps it itself: first both are there, the new one in front, then `rewrap`
   * wraps the data keys with it, then it is alone. A crash at any point leaves a key that opens the ring. Returns where the
   * old key was put: backups made before need it.
   */
  rotate?(rewrap: () => Promise<void>): Promise<string>
}

/** A key given as text, such as the value of an environment variable; `description` says where it was found. */
export function masterKeyFromText(text: string, description: string): MasterKeySource {
  return { description, read: async () => parseMasterKeys(text, description) }
}

/** A file that somebody else keeps, such as a mounted secret. */
export function masterKeyFromFile(path: string): MasterKeySource {
  const description = `the file ${path}`
  return { description, read: async () => parseMasterKeys(await readKeyFile(path), description) }
}

/** The server's own file: made with a new key, readable by its owner alone, when it is not there. */
export function masterKeyInFile(path: string): MasterKeySource {
  const description = `the file ${path}`
  return {
    description,
    async read() {
      await makeKeyFile(path)
      await refuseOpenFile(path)
      return parseMasterKeys(await readKeyFile(path), description)
    },
    async rotate(rewrap) {
      const old = await this.read()
      const young = createMasterKey()
      const kept = `${path}.${old[0].id}`
      await link(path, kept).catch(unlessThere)
      await replaceKeyFile(path, [young, ...old])
      await rewrap()
      await replaceKeyFile(path, [young])
      return kept
    },
  }
}

/** What a command prints, such as the client of a key service. It is run without a shell. */
export function masterKeyFromCommand(command: string, args: readonly string[] = [], timeout = 30_000): MasterKeySource {
  const description = `the output of ${command}`
  return { description, read: async () => parseMasterKeys(await runKeyCommand(command, args, timeout), description) }
}

async function readKeyFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause) => {
    throw new StorageError('unavailable', `cannot read the master key from ${path}: ${cause.code}`, { cause })
  })
}

// Linked into place whole: of two servers that start together one makes the key, and the other never reads half of it.
// It is synced before anything is encrypted with it, because losing it loses every encrypted value.
async function makeKeyFile(path: string): Promise<void> {
  if (await isThere(path)) return
  const draft = `${path}.${randomUUID()}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeSynced(draft, `${formatMasterKey(createMasterKey())}\n`)
    await link(draft, path).catch(unlessThere)
    await syncDirectory(dirname(path))
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    throw new StorageError('unavailable', `cannot make the master key file ${path}: ${code}`, { cause })
  } finally {
    await rm(draft, { force: true })
  }
}

async function replaceKeyFile(path: string, keys: MasterKeys): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeSynced(draft, `${keys.map(formatMasterKey).join('\n')}\n`)
    await rename(draft, path)
    await syncDirectory(dirname(path))
  } catch (cause) {
    await rm(draft, { force: true })
    const code = (cause as NodeJS.ErrnoException).code
    throw new StorageError('unavailable', `cannot replace the master key file ${path}: ${code}`, { cause })
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function refuseOpenFile(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  throw new StorageError('invalid', `the master key file ${path} has mode ${octal}: run chmod 600 ${path}`)
}

function runKeyCommand(command: string, args: readonly string[], timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout, encoding: 'utf8', maxBuffer: 65_536 }, (failure, stdout, stderr) => {
      if (failure === null) return resolve(stdout)
      // Only stderr is repeated: stdout may hold the key.
      const said = stderr.trim() === '' ? String(failure.code ?? failure.signal) : stderr.trim().slice(0, 500)
      reject(new StorageError('unavailable', `cannot get the master key from ${command}: ${said}`))
    })
  })
}
