import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chmod, chown, copyFile, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

export interface IsolationOptions {
  /** Where working directories and copies of executables are: it can be entered by the users of providers. */
  readonly area: string
  /** Which uids, and equal gids, provider processes get: first and last. */
  readonly uids: readonly [number, number]
  /** Called once, before the first process is started as another user: lets such users reach the area. Default: they can. */
  readonly open?: () => void
  /** Further directories for each owner, `CLUSTER/NAME`: they belong to the user of that provider. Default none. */
  readonly paths?: ReadonlyMap<string, readonly string[]>
}

/** What a process of a provider is started as. */
export interface IsolatedLaunch {
  /** The command and its arguments: a launcher that lowers limits and privileges, and then becomes the provider. */
  readonly command: readonly [string, ...string[]]
  readonly workDirectory: string
  /** Where the executable was copied from, because the user can't enter that directory. Absent where it runs in its place. */
  readonly copiedFrom?: string
  /** Owner of the socket directory; the launcher switches to it. Absent where the server can't change users. */
  readonly user?: User
}

/** What is to be started. */
export interface LaunchWish {
  readonly executable: string
  /** Its working directory. */
  readonly home: string
  /** It needs the files beside it, so that a copy of it alone is of no use. Default false. */
  readonly needsSiblings?: boolean
  /** It runs programs that fail for a uid that /etc/passwd does not list, as the client of OpenSSH does. Default false. */
  readonly needsAccount?: boolean
}

interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * Runs each provider as an unprivileged user of its own, without supplementary groups and capabilities, with no_new_privs and
 * resource limits. A server that is not root, or has no `setpriv`, does what remains possible; `gaps` says what is missing.
 */
export class ProcessIsolation {
  readonly #options: IsolationOptions
  readonly #setpriv: string | undefined
  readonly #switchesUser: boolean
  readonly #uids: Map<string, number>
  #isOpen = false

  constructor(options: IsolationOptions) {
    this.#options = options
    this.#setpriv = findSetpriv()
    this.#switchesUser =
      this.#setpriv !== undefined && process.getuid?.() === 0 && canSwitch(this.#setpriv, options.uids[0])
    this.#uids = new Map(Object.entries(readUids(this.#uidFile)))
  }

  /** What can't be isolated here and why, for the operator; empty when all of it can. */
  get gaps(): readonly string[] {
    if (process.platform === 'win32') return ['provider processes are not isolated on Windows']
    if (this.#setpriv === undefined)
      return [
        'provider processes run as the user of the server and may gain privileges: setpriv of util-linux is missing',
      ]
    if (!this.#switchesUser)
      return [
        'provider processes run as the user of the server: only a server that runs as root can give them users of their own',
      ]
    return []
  }

  /** Prepares the working directory and the command of a process. */
  async prepare(
    owner: string,
    { executable, home, needsSiblings = false, needsAccount = false }: LaunchWish,
  ): Promise<IsolatedLaunch> {
    if (process.platform === 'win32') return { command: [executable], workDirectory: home }
    const own = this.#switchesUser ? this.#userOf(owner) : undefined
    const user = needsAccount ? accountFor(own) : own
    const workDirectory = user === own ? home : `${home}.nobody`
    if (user !== undefined) await makeReachable(this.#options.area, dirname(workDirectory))
    await mkdir(workDirectory, { recursive: true, mode: 0o700 })
    await chmod(workDirectory, 0o700)
    if (user === undefined) return { command: this.#launcher(executable, undefined), workDirectory }
    this.#open()
    await handOver(workDirectory, user)
    for (const path of this.#options.paths?.get(owner) ?? []) await grant(path, user)
    const reachable = await this.#reachable(executable, needsSiblings)
    const copied = reachable === executable ? {} : { copiedFrom: dirname(executable) }
    return { command: this.#launcher(reachable, user), workDirectory, user, ...copied }
  }

  #open(): void {
    if (this.#isOpen) return
    this.#options.open?.()
    this.#isOpen = true
  }

  // /bin/sh sets the limits because Node can't; both commands are replaced by what follows, so the process id stays.
  #launcher(executable: string, user: User | undefined): [string, ...string[]] {
    const processes =
      user === undefined ? '' : `ulimit -u ${mostProcesses} 2>/dev/null || ulimit -p ${mostProcesses} 2>/dev/null; `
    const limits = `ulimit -c 0; ulimit -n ${mostFiles} 2>/dev/null; ${processes}exec "$@"`
    const shell = ['/bin/sh', '-c', limits, 'sh'] as const
    if (this.#setpriv === undefined) return [...shell, executable]
    const privileges =
      user === undefined
        ? ['--no-new-privs']
        : [
            `--reuid=${user.uid}`,
            `--regid=${user.gid}`,
            ...['--clear-groups', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'],
          ]
    return [...shell, this.#setpriv, ...privileges, '--', executable]
  }

  // The same for ever: files in working directories belong to it. It begins at a place of its own for each data directory, so that
  // two servers of one machine rarely share users.
  #userOf(owner: string): User {
    const known = this.#uids.get(owner)
    const [first, last] = this.#options.uids
    if (known !== undefined && known >= first && known <= last) return { uid: known, gid: known }
    const taken = new Set(this.#uids.values())
    const size = last - first + 1
    const start = createHash('sha256').update(`${this.#options.area} ${owner}`).digest().readUInt32BE(0)
    for (let step = 0; step < size; step++) {
      const uid = first + ((start + step) % size)
      if (taken.has(uid)) continue
      this.#uids.set(owner, uid)
      writeUids(this.#uidFile, Object.fromEntries(this.#uids))
      return { uid, gid: uid }
    }
    throw new Error(
      `every uid of --provider-uid-range ${first}-${last} is taken by another provider: give a larger range`,
    )
  }

  get #uidFile(): string {
    return join(this.#options.area, 'users.json')
  }

  // An executable in a directory that others can't enter is copied. A script that reads files beside itself must lie where it can.
  async #reachable(executable: string, needsSiblings: boolean): Promise<string> {
    // A package of the cache, whose directory is named by its hash.
    await makeReachable(this.#options.area, dirname(dirname(executable)))
    if (isReachable(executable)) return executable
    if (needsSiblings)
      throw new Error(
        `${executable} can't be read by the user of the provider: let others enter its directories (chmod o+x), or install hykube elsewhere`,
      )
    const { mtimeMs, size } = await stat(executable)
    const name = createHash('sha256').update(`${executable} ${mtimeMs} ${size}`).digest('hex').slice(0, 32)
    const directory = join(this.#options.area, 'copies', name)
    const copy = join(directory, basename(executable))
    await makeReachable(this.#options.area, directory)
    if (!isReachable(copy)) {
      await copyFile(executable, `${copy}.${process.pid}`)
      await chmod(`${copy}.${process.pid}`, 0o755)
      renameSync(`${copy}.${process.pid}`, copy)
    }
    return copy
  }
}

/**
 * Where providers have their directories: below the data directory where other users can enter its parents, which then lets them
 * pass, and keeps everything else in it to its owner; else in the directory for temporary files.
 */
export function providerArea(dataDirectory: string): string {
  const inside = join(dataDirectory, 'providers')
  if (process.getuid?.() !== 0 || isEnterable(dirname(resolve(dataDirectory)))) return inside
  const name = createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 16)
  return join(temporaryDirectory(), `hykube-providers-${name}`)
}

/** The directory for temporary files, of those that every user can enter. */
export function temporaryDirectory(): string {
  return isEnterable(tmpdir()) ? tmpdir() : '/tmp'
}

const mostFiles = 16_384
// Threads count too.
const mostProcesses = 4096

// The user `nobody` stands in for one without an entry in /etc/passwd.
function accountFor(user: User | undefined): User | undefined {
  if (user === undefined) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  if (accounts.some(([, , uid]) => Number(uid) === user.uid)) return user
  const [, , uid, gid] = accounts.find(([name]) => name === 'nobody') ?? []
  return uid === undefined ? user : { uid: Number(uid), gid: Number(gid) }
}

function findSetpriv(): string | undefined {
  return ['/usr/bin/setpriv', '/bin/setpriv', '/usr/sbin/setpriv', '/sbin/setpriv'].find((path) => {
    try {
      execFileSync(path, ['--no-new-privs', '--', 'true'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

// A container may run as root without the capability to become another user.
function canSwitch(setpriv: string, uid: number): boolean {
  try {
    const args = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs', '--inh-caps=-all']
    execFileSync(setpriv, [...args, '--bounding-set=-all', '--', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// Lets others pass through the directories from the area down, and list none of them.
async function makeReachable(area: string, directory: string): Promise<void> {
  const inside = relative(area, directory)
  if (inside === '..' || inside.startsWith(`..${sep}`)) return
  let at = area
  for (const name of ['', ...inside.split(sep)]) {
    at = join(at, name)
    await mkdir(at, { recursive: true, mode: 0o711 })
    if (((await stat(at)).mode & 0o777) !== 0o711) await chmod(at, 0o711)
  }
}

// A directory that still belongs to the server was never a provider's: nothing that runs can exchange files in it meanwhile.
async function handOver(directory: string, { uid, gid }: User): Promise<void> {
  const { uid: owner } = await stat(directory)
  if (owner === uid) return
  if (owner !== process.getuid?.())
    throw new Error(`the working directory ${directory} belongs to uid ${owner}, not to ${uid}: remove it, or chown it`)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  await chown(directory, uid, gid)
}

async function grant(path: string, { uid, gid }: User): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 })
  await chown(path, uid, gid)
}

function isReachable(file: string): boolean {
  try {
    return (
      (statSync(file).mode & 0o005) === 0o005 && isEnterable(dirname(file)) && isEnterable(dirname(realpathSync(file)))
    )
  } catch {
    return false
  }
}

function isEnterable(directory: string): boolean {
  for (let at = resolve(directory); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

function readUids(file: string): Record<string, number> {
  try {
    accessSync(file, constants.R_OK)
  } catch {
    return {}
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
}

function writeUids(file: string, uids: Record<string, number>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o711 })
  writeFileSync(`${file}.tmp`, JSON.stringify(uids), { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
}
