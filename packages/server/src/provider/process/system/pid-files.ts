import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchVariable, processesWithMark } from './launch-mark.ts'
import { endProcess, identityOf, isAlive, type ProcessIdentity } from './process-identity.ts'

/** Files in a directory that record running provider processes, so that the next server can kill orphans of a killed one. */
export class PidFiles {
  readonly #directory: string | undefined

  constructor(directory: string | undefined) {
    this.#directory = directory
  }

  /**
   * Runs `start` with environment variables for the new process. They carry a mark, which is written to a file first: if the
   * server is killed before the pid file exists, the next server finds the process by its mark.
   */
  async launch<T>(start: (marked: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
    const mark = randomUUID()
    if (this.#directory === undefined) return start({ [launchVariable]: mark })
    const file = join(this.#directory, `${mark}.starting`)
    await this.#write(file, { mark, owner: await own() })
    try {
      return await start({ [launchVariable]: mark })
    } finally {
      await rm(file, { force: true }).catch(() => {})
    }
  }

  async add(identity: ProcessIdentity, mark: string): Promise<void> {
    const file = this.#fileOf(identity)
    if (file !== undefined) await this.#write(file, { ...identity, mark, owner: await own() })
  }

  async remove(identity: ProcessIdentity): Promise<void> {
    const file = this.#fileOf(identity)
    if (file !== undefined) await rm(file, { force: true })
  }

  /** Kills processes whose server no longer runs. Returns their number. */
  async killOrphans(): Promise<number> {
    if (this.#directory === undefined) return 0
    const names = await readdir(this.#directory).catch(() => [])
    let ended = 0
    for (const name of names) {
      const file = join(this.#directory, name)
      const entry = await readEntry(file)
      if (entry !== undefined && (await isAlive(entry.owner))) continue
      for (const identity of await processesOf(entry)) if (await endProcess(identity)) ended++
      await rm(file, { force: true })
    }
    return ended
  }

  async #write(file: string, entry: Entry): Promise<void> {
    await mkdir(this.#directory!, { recursive: true, mode: 0o700 })
    await writeFile(`${file}.tmp`, JSON.stringify(entry), { mode: 0o600 })
    await rename(`${file}.tmp`, file)
  }

  #fileOf({ pid }: ProcessIdentity): string | undefined {
    return this.#directory === undefined ? undefined : join(this.#directory, `${pid}.json`)
  }
}

/** A running or starting process, the launch mark of it and its children, and the server that started it. */
type Entry = Partial<ProcessIdentity> & { readonly mark: string; readonly owner: ProcessIdentity }

async function own(): Promise<ProcessIdentity> {
  return (await identityOf(process.pid))!
}

async function processesOf(entry: Entry | undefined): Promise<ProcessIdentity[]> {
  if (entry === undefined) return []
  const { pid, startTime, mark } = entry
  const noted = pid === undefined || startTime === undefined ? [] : [{ pid, startTime }]
  const found = await Promise.all(processesWithMark(mark).map(identityOf))
  return [...noted, ...found.filter((identity) => identity !== undefined && identity.pid !== pid)] as ProcessIdentity[]
}

async function readEntry(file: string): Promise<Entry | undefined> {
  try {
    const { pid, startTime, mark, owner } = JSON.parse(await readFile(file, 'utf8')) as Partial<
      ProcessIdentity & { mark: string; owner: ProcessIdentity }
    >
    if (typeof owner?.pid !== 'number') return undefined
    const noted = typeof pid === 'number' && typeof startTime === 'string' ? { pid, startTime } : {}
    return { ...noted, mark: typeof mark === 'string' ? mark : '', owner }
  } catch {
    return undefined
  }
}
