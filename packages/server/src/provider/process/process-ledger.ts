import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endProcess, identityOf, isAlive, type ProcessIdentity } from './process-identity.ts'

/** Notes of running processes in a directory, for the server that comes after this one. */
export class ProcessLedger {
  readonly #directory: string | undefined

  constructor(directory: string | undefined) {
    this.#directory = directory
  }

  async note(identity: ProcessIdentity): Promise<void> {
    if (this.#directory === undefined) return
    const entry: Entry = { ...identity, owner: (await identityOf(process.pid))! }
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const file = this.#fileOf(identity)!
    await writeFile(`${file}.tmp`, JSON.stringify(entry), { mode: 0o600 })
    await rename(`${file}.tmp`, file)
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
      if (entry !== undefined && (await endProcess(entry))) ended++
      await rm(file, { force: true })
    }
    return ended
  }

  #fileOf({ pid }: ProcessIdentity): string | undefined {
    return this.#directory === undefined ? undefined : join(this.#directory, `${pid}.json`)
  }
}

interface Entry extends ProcessIdentity {
  readonly owner: ProcessIdentity
}

async function readEntry(file: string): Promise<Entry | undefined> {
  try {
    const { pid, startTime, owner } = JSON.parse(await readFile(file, 'utf8')) as Partial<Entry>
    if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof owner?.pid !== 'number') return undefined
    return { pid, startTime, owner }
  } catch {
    return undefined
  }
}
