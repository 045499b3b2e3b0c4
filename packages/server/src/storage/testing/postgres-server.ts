import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Location of PostgreSQL, or the reason why it is missing. */
export type PostgresSearch =
  | { readonly kind: 'found'; readonly bin: string }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * Directory of PostgreSQL's programs: the given one, else HYKUBE_POSTGRES (set by `npm test`), else the newest under
 * `/usr/lib/postgresql`. Tests print the reason when they skip.
 */
export function findPostgres(given = process.env.HYKUBE_POSTGRES): PostgresSearch {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : []
  const candidates = given === undefined ? versions.map((version) => join(installed, version, 'bin')) : [given]
  const bin = candidates.find((directory) => existsSync(join(directory, 'initdb')))
  if (bin !== undefined) return { kind: 'found', bin }
  return { kind: 'missing', reason: `no PostgreSQL: initdb is not in ${given ?? `${installed}/*/bin`}` }
}

export interface PostgresServerOptions {
  /** Directory with `initdb` and `postgres`. */
  readonly bin: string
  /** Data directory of the cluster. Default: a temporary directory, removed at the end. */
  readonly directory?: string
  /** Further settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A PostgreSQL server for a test, with a temporary data directory and a unix socket in it. */
export class PostgresServer {
  readonly directory: string
  readonly #options: PostgresServerOptions
  readonly #user: { readonly uid?: number; readonly gid?: number; readonly name: string }
  readonly #removes: boolean
  #process: ChildProcess | undefined
  #output = ''

  private constructor(options: PostgresServerOptions) {
    this.#options = options
    this.#user = unprivilegedUser()
    this.#removes = options.directory === undefined
    this.directory = options.directory ?? mkdtempSync(join(tmpdir(), 'hykube-postgres-'))
    if (this.#user.uid !== undefined) chownSync(this.directory, this.#user.uid, this.#user.gid!)
  }

  /** Creates and starts a cluster. */
  static async start(options: PostgresServerOptions): Promise<PostgresServer> {
    const server = new PostgresServer(options)
    server.#run('initdb', [
      '--no-sync',
      '--auth=trust',
      '--username=hykube',
      '--encoding=UTF8',
      '--locale=C',
      server.#data,
    ])
    await server.start()
    return server
  }

  /** Connection URL of a database through the unix socket. */
  url(database = 'postgres'): string {
    return `postgres://hykube@localhost/${database}?host=${encodeURIComponent(this.directory)}`
  }

  /** Path of the socket, for proxies. */
  get socketPath(): string {
    return join(this.directory, '.s.PGSQL.5432')
  }

  get dataDirectory(): string {
    return this.#data
  }

  /** Its last output. */
  get output(): string {
    return this.#output
  }

  /** Copies the files of the running server to a new directory and starts a server on the copy. */
  async startCopy(): Promise<PostgresServer> {
    const copy = new PostgresServer(this.#options)
    this.#run('pg_basebackup', ['-h', this.directory, '-U', 'hykube', '-D', copy.#data, '-c', 'fast', '--no-sync'])
    await copy.start()
    return copy
  }

  /** Stops both servers and starts this one on the files of the other. */
  async exchangeFor(copy: PostgresServer): Promise<void> {
    await Promise.all([this.stop(), copy.stop()])
    rmSync(this.#data, { recursive: true })
    renameSync(copy.#data, this.#data)
    await this.start()
  }

  get isRunning(): boolean {
    return this.#process !== undefined
  }

  /** Starts the server after {@link stop} or {@link kill}; resolves when it accepts connections. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#launch()
      } catch (error) {
        // Processes of a killed server may take a moment to exit.
        if (attempt === 50 || !this.#output.includes('still in use')) throw error
        await setTimeout(100)
      }
    }
  }

  async #launch(): Promise<void> {
    this.#removeRemains()
    const settings = { ...defaultSettings, ...this.#options.settings }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(join(this.#options.bin, 'postgres'), ['-D', this.#data, '-k', this.directory, ...args], {
      ...this.#identity,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    this.#output = ''
    child.once('exit', () => {
      if (this.#process === child) this.#process = undefined
    })
    await this.#ready(child)
  }

  /** Stops it with a `fast` or `immediate` shutdown. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.#end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  }

  /** Kills all its processes at once, like a power failure, and waits until they have exited. */
  async kill(): Promise<void> {
    const child = this.#process
    if (child?.pid === undefined) return
    const gone = once(child, 'exit')
    // Stopped first, so that it forks no further process between the listing and the kill.
    signal(child.pid, 'SIGSTOP')
    for (const pid of [...childrenOf(child.pid), child.pid]) signal(pid, 'SIGKILL')
    await gone
  }

  /** Suspends all its processes until {@link resume}. */
  pause(): void {
    this.#signalAll('SIGSTOP')
  }

  resume(): void {
    this.#signalAll('SIGCONT')
  }

  /** Stops it and removes its files. */
  async close(): Promise<void> {
    await this.stop('immediate')
    if (this.#removes) rmSync(this.directory, { recursive: true, force: true })
  }

  /** Runs a program of PostgreSQL, such as `pg_dump`, as the server's user, and returns its output. */
  run(program: string, args: readonly string[]): Buffer {
    return this.#run(program, args)
  }

  get #data(): string {
    return join(this.directory, 'data')
  }

  get #identity(): { uid?: number; gid?: number; cwd: string } {
    const { uid, gid } = this.#user
    return { ...(uid !== undefined && { uid, gid: gid! }), cwd: this.directory }
  }

  #run(program: string, args: readonly string[]): Buffer {
    const result = spawnSync(join(this.#options.bin, program), args, { ...this.#identity, maxBuffer: 2 ** 30 })
    if (result.status === 0) return result.stdout
    throw new Error(`${program} failed (${result.status ?? result.error}): ${result.stderr}`)
  }

  #ready(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-10_000)
        if (this.#output.includes('ready to accept connections')) resolve()
      }
      child.stdout!.on('data', listen)
      child.stderr!.on('data', listen)
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${this.#output}`)))
    })
  }

  async #end(how: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (child === undefined) return
    const gone = once(child, 'exit')
    this.resume()
    child.kill(how)
    await gone
  }

  #signalAll(how: NodeJS.Signals): void {
    const pid = this.#process?.pid
    if (pid !== undefined) for (const each of [pid, ...childrenOf(pid)]) signal(each, how)
  }

  // A killed postmaster leaves its lock file; the process id in it may be unused, or belong to another process by now.
  #removeRemains(): void {
    rmSync(join(this.#data, 'postmaster.pid'), { force: true })
  }
}

const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: '5432',
  max_connections: '60',
  logging_collector: 'off',
  shared_buffers: '128MB',
}

// PostgreSQL refuses to run as root.
function unprivilegedUser(): { uid?: number; gid?: number; name: string } {
  if (process.getuid?.() !== 0) return { name: 'the same' }
  for (const name of ['postgres', 'nobody']) {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((each) => each.startsWith(`${name}:`))
    const [, , uid, gid] = line?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid), name }
  }
  throw new Error('PostgreSQL refuses to run as root, and no unprivileged user exists: create the user postgres')
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    if (!statSync(`/proc/${pid}`).isDirectory()) return undefined
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function signal(pid: number, how: NodeJS.Signals): void {
  try {
    process.kill(pid, how)
  } catch {
    // The process has exited already.
  }
}
