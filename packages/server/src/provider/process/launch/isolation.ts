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
  /** The directory of working directories and copied executables. The users of provider processes can traverse it. */
  readonly area: string
  /** The first and last uid of provider processes. Each gid equals its uid. */
  readonly uids: readonly [number, number]
  /** Called once before the first process is started as another user; makes the area traversable. Default: it already is. */
  readonly open?: () => void
  /** Further directories by owner (`CLUSTER/NAME`), which are given to the user of that provider. Default: none. */
  readonly paths?: ReadonlyMap<string, readonly string[]>
}

/** The command line, working directory and user of an isolated process. */
export interface IsolatedLaunch {
  /** The command and its arguments: a launcher that sets limits, drops privileges, and then execs the provider. */
  readonly command: readonly [string, ...string[]]
  readonly workDirectory: string
  /** The original directory of an executable that was copied, because the user can't enter it. Absent: it was not copied. */
  readonly copiedFrom?: string
  /** The user that the launcher switches to, and the owner of the socket directory. Absent: the server can't change users. */
  readonly user?: User
  /** The uid of that user if it runs no other programs than this provider. */
  readonly ownUid?: number
}

/** The executable to start and its needs. */
export interface LaunchRequest {
  readonly executable: string
  /** The working directory. */
  readonly home: string
  /** The executable reads files beside it, so a copy of it alone can't run. Default false. */
  readonly needsSiblings?: boolean
  /** It runs programs that fail if /etc/passwd has no entry for their uid, such as OpenSSH's client. Default false. */
  readonly needsAccount?: boolean
}

interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * Runs each provider as its own unprivileged user, without supplementary groups and capabilities, with no_new_privs and
 * resource limits. Without root or `setpriv` the server applies the measures that remain; `gaps` lists the missing ones.
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

  /** Warnings for the operator about isolation measures that are unavailable here; empty if there are none. */
  get gaps(): readonly string[] {
    if (process.platform === 'win32') return ['provider processes are not isolated on Windows']
    if (this.#setpriv === undefined)
      return [
        'provider processes run as the user of the server and may gain privileges: setpriv of util-linux is missing',
      ]
    if (!this.#switchesUser)
      return [
        'provider processes run as the user of the server: only a server that runs as root can run them as separate users',
      ]
    return []
  }

  /** The uids of all providers that this or an earlier server of the area started; empty if it can't change users. */
  get knownUids(): readonly number[] {
    return this.#switchesUser ? [...this.#uids.values()] : []
  }

  /** Prepares the working directory and the command of a process. */
  async prepare(
    owner: string,
    { executable, home, needsSiblings = false, needsAccount = false }: LaunchRequest,
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
    await changeOwner(workDirectory, user)
    for (const path of this.#options.paths?.get(owner) ?? []) await grant(path, user)
    const reachable = await this.#reachable(executable, needsSiblings)
    const copied = reachable === executable ? {} : { copiedFrom: dirname(executable) }
    const dedicated = user === own ? { ownUid: user.uid } : {}
    return { command: this.#launcher(reachable, user), workDirectory, user, ...dedicated, ...copied }
  }

  /** The command of a provider that is part of the server: it runs as the server's user and ends with the server. */
  trusted(executable: string): readonly [string, ...string[]] {
    return this.#setpriv === undefined ? [executable] : [this.#setpriv, endWithServer, '--', executable]
  }

  #open(): void {
    if (this.#isOpen) return
    this.#options.open?.()
    this.#isOpen = true
  }

  // /bin/sh sets the limits, because Node can't. sh and setpriv exec the next command, so the process id stays the same.
  #launcher(executable: string, user: User | undefined): [string, ...string[]] {
    const processes =
      user === undefined ? '' : `ulimit -u ${maxProcesses} 2>/dev/null || ulimit -p ${maxProcesses} 2>/dev/null; `
    const limits = `ulimit -c 0; ulimit -n ${maxOpenFiles} 2>/dev/null; ${processes}exec "$@"`
    const shell = ['/bin/sh', '-c', limits, 'sh'] as const
    if (this.#setpriv === undefined) return [...shell, executable]
    const privileges =
      user === undefined
        ? ['--no-new-privs', endWithServer]
        : [
            `--reuid=${user.uid}`,
            `--regid=${user.gid}`,
            ...['--clear-groups', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', endWithServer],
          ]
    return [...shell, this.#setpriv, ...privileges, '--', executable]
  }

  // An owner keeps its uid for ever, because files in its working directory belong to that uid. The search for a free uid starts
  // at a hash of area and owner, so that two servers of one machine rarely choose the same one.
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
      `every uid of --provider-uid-range ${first}-${last} is taken by another provider; set a larger range`,
    )
  }

  get #uidFile(): string {
    return join(this.#options.area, 'users.json')
  }

  // An executable in a directory that the user can't enter is copied into the area. This fails for scripts that read files beside
  // themselves, which must be in a directory that the user can enter.
  async #reachable(executable: string, needsSiblings: boolean): Promise<string> {
    // For a cached package: AREA/…/packages/HASH/EXECUTABLE.
    await makeReachable(this.#options.area, dirname(dirname(executable)))
    if (isReachable(executable)) return executable
    if (needsSiblings)
      throw new Error(
        `${executable} can't be read by the user of the provider; make its directories traversable for others (chmod o+x), or install hykube elsewhere`,
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
 * The directory of provider processes: below the data directory if other users can traverse its parents (the data directory is
 * then made traversable, but not readable, for them); otherwise in the directory for temporary files.
 */
export function providerArea(dataDirectory: string): string {
  const inside = join(dataDirectory, 'providers')
  if (process.getuid?.() !== 0 || isEnterable(dirname(resolve(dataDirectory)))) return inside
  const name = createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 16)
  return join(temporaryDirectory(), `hykube-providers-${name}`)
}

/** A directory for temporary files that every user can enter: TMPDIR if it is one, otherwise /tmp. */
export function temporaryDirectory(): string {
  return isEnterable(tmpdir()) ? tmpdir() : '/tmp'
}

// The kernel kills the process when the server's process ends, even by kill -9. setpriv sets it after it has changed the user,
// because a change of user clears it.
const endWithServer = '--pdeathsig=KILL'

const maxOpenFiles = 16_384
// RLIMIT_NPROC also counts threads.
const maxProcesses = 4096

// Replaces a user without an entry in /etc/passwd by `nobody`.
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
      execFileSync(path, ['--no-new-privs', endWithServer, '--', 'true'], { stdio: 'ignore' })
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

// Mode 0711 lets other users traverse the directories from the area down, but not list them.
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

// Only a directory that belongs to the server is changed: no provider has run in it, so no process can replace its files by
// links while lchown walks over them.
async function changeOwner(directory: string, { uid, gid }: User): Promise<void> {
  const { uid: owner } = await stat(directory)
  if (owner === uid) return
  if (owner !== process.getuid?.())
    throw new Error(`the working directory ${directory} belongs to uid ${owner}, not to ${uid}; remove it, or chown it`)
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
