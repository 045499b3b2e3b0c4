import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StorageError } from '../storage-error.ts'
import { createMasterKey, formatMasterKey, type MasterKeys, parseMasterKeys } from './master-key.ts'

/** Source of master keys. Read at start, and again when the ring is wrapped by an unknown key. */
export interface MasterKeySource {
  /** Describes the source in messages, without the key. */
  readonly description: string
  read(): Promise<MasterKeys>
  /**
   * Replaces the key when the server manages it. Order: write both keys, the new one first; `rewrap` the data keys;
   * write the new key alone. After a crash at any step a key exists that opens the ring. Returns the location of the
   * old key, which earlier backups need.
   */
  rotate?(rewrap: () => Promise<void>): Promise<string>
}

/** A key given as text, such as an environment variable; `description` names the origin. */
export function masterKeyFromText(text: string, description: string): MasterKeySource {
  return { description, read: async () => parseMasterKeys(text, description) }
}

/** A file managed by others, such as a mounted secret. */
export function masterKeyFromFile(path: string): MasterKeySource {
  const description = `the file ${path}`
  return { description, read: async () => parseMasterKeys(await readKeyFile(path), description) }
}

/** The server's own file; created with a new key, readable only by its owner, when it does not exist. */
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
      await link(path, kept).catch(ignoreExisting)
      await replaceKeyFile(path, [young, ...old])
      await rewrap()
      await replaceKeyFile(path, [young])
      return kept
    },
  }
}

/** The output of a command, such as the client of a key service. It runs without a shell. */
export function masterKeyFromCommand(command: string, args: readonly string[] = [], timeout = 30_000): MasterKeySource {
  const description = `the output of ${command}`
  return { description, read: async () => parseMasterKeys(await runKeyCommand(command, args, timeout), description) }
}

async function readKeyFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause) => {
    throw new StorageError('unavailable', `cannot read the master key from ${path}: ${cause.code}`, { cause })
  })
}

// The file is linked into place complete: when two servers start at once, one creates the key, and the other never
// reads a part. It is synced before use, because losing the key loses every encrypted value.
async function makeKeyFile(path: string): Promise<void> {
  if (await isThere(path)) return
  const draft = `${path}.${randomUUID()}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeSynced(draft, `${formatMasterKey(createMasterKey())}\n`)
    await link(draft, path).catch(ignoreExisting)
    await syncDirectory(dirname(path))
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    throw new StorageError('unavailable', `cannot create the master key file ${path}: ${code}`, { cause })
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

function ignoreExisting(error: NodeJS.ErrnoException): void {
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
      // The message includes only stderr: stdout may contain the key.
      const cause = stderr.trim() === '' ? String(failure.code ?? failure.signal) : stderr.trim().slice(0, 500)
      reject(new StorageError('unavailable', `cannot get the master key from ${command}: ${cause}`))
    })
  })
}
