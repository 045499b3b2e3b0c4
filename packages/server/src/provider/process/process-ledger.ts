import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchVariable, processesWithMark } from './launch-mark.ts'
import { endProcess, identityOf, isAlive, type ProcessIdentity } from './process-identity.ts'

/** Notes of running processes in a directory, for the server that comes after this one. */
export class ProcessLedger {
  readonly #directory: string | undefined

  constructor(directory: string | undefined) {
    this.#directory = directory
  }

  /**
   * Lets a process be started and noted, with these variables in its environment. A server that is killed before it has noted the
   * process leaves a note of the mark in them, by which the next one finds it.
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

  async note(identity: ProcessIdentity, mark: string): Promise<void> {
    const file = this.#fileOf(identity)
    if (file !== undefined) await this.#write(file, { ...identity, mark, owner: await own() })
  }

  async strike(identity: ProcessIdentity): Promise<void> {
    const file = this.#fileOf(identity)
    if (file !== undefined) await rm(file, { force: true })
  }

  /** Ends what servers left that are no more; gives how many processes it ended. */
  async endLeftBehind(): Promise<number> {
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

/** A process that runs, or was to be started, and the mark that it and all that it started carry. */
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
