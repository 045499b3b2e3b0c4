import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** OpenSSH's server on a free port, with keys and a home directory that are thrown away with it. */
export class SshServer {
  /** Where its user is at home. */
  readonly home: string
  readonly port: number
  readonly user: string
  readonly privateKey: string
  /** As in `known_hosts`, without the name. */
  readonly hostKey: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, home: string, port: number, user: string) {
    this.#child = child
    this.home = home
    this.port = port
    this.user = user
    this.privateKey = readFileSync(join(home, 'user_key'), 'utf8')
    this.hostKey = publicKey(join(home, 'host_key'))
  }

  static async start({ ssh, sshd }: { readonly ssh: string; readonly sshd: string }): Promise<SshServer> {
    const home = mkdtempSync(join(tmpdir(), 'hykube-sshd-'))
    const account = accountAt(home)
    for (const name of ['host_key', 'user_key']) newKey(ssh, join(home, name))
    writeFileSync(join(home, 'authorized_keys'), publicKey(join(home, 'user_key')))
    const program = account.isOther ? ownCopy(sshd, home) : sshd
    const port = await freePort()
    writeFileSync(join(home, 'sshd_config'), configuration(home, port, program))
    giveTo(account, home)
    const child = spawn(program, ['-D', '-e', '-f', join(home, 'sshd_config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, ...account.environment },
      ...account.identity,
    })
    await listening(child)
    return new SshServer(child, home, port, account.name)
  }

  /** The block `connection` of the provider. */
  get connection(): Readonly<Record<string, unknown>> {
    const { port, user, privateKey, hostKey } = this
    return { host: '127.0.0.1', port, user, private_key: privateKey, host_key: hostKey }
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('exit', done))
    this.#child.kill('SIGKILL')
    await ended
  }

  async remove(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.stop()
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** A new key pair in two files, by the program beside the client. */
export function newKey(ssh: string, file: string): void {
  execFileSync(join(dirname(ssh), 'ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file])
}

/** The public half of a key, without a comment. */
export function publicKey(file: string): string {
  return readFileSync(`${file}.pub`, 'utf8').trim()
}

interface Account {
  readonly name: string
  /** True if it is not the user of this process. */
  readonly isOther: boolean
  readonly identity: { readonly uid?: number; readonly gid?: number }
  readonly environment: Readonly<Record<string, string>>
}

// A user other than root logs in as itself. Root runs the server as `nobody`, with a shell and a home directory.
function accountAt(home: string): Account {
  if (process.getuid?.() !== 0) return { name: userInfo().username, isOther: false, identity: {}, environment: {} }
  const id = 65534
  const accounts = join(home, 'passwd')
  writeFileSync(accounts, `nobody:x:${id}:${id}:nobody:${home}:/bin/sh\n`)
  return { name: 'nobody', isOther: true, identity: { uid: id, gid: id }, environment: { ACCOUNTS: accounts } }
}

// Nobody may look into the cache of root.
function ownCopy(sshd: string, home: string): string {
  const copy = join(home, 'server')
  cpSync(dirname(sshd), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'sshd')
}

function configuration(home: string, port: number, program: string): string {
  const helpers = join(dirname(program), 'usr/lib/openssh')
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(home, 'host_key')}`,
    `AuthorizedKeysFile ${join(home, 'authorized_keys')}`,
    'AuthenticationMethods publickey',
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    // Since OpenSSH 9.8 it is several programs.
    ...['Session', 'Auth'].flatMap((part) => {
      const path = join(helpers, `sshd-${part.toLowerCase()}`)
      return existsSync(path) ? [`Sshd${part}Path ${path}`] : []
    }),
  ]
  return `${lines.join('\n')}\n`
}

function giveTo({ identity: { uid, gid } }: Account, home: string): void {
  if (uid === undefined || gid === undefined) return
  for (const file of ['', 'host_key', 'authorized_keys']) chownSync(join(home, file), uid, gid)
  chmodSync(home, 0o755)
}

function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((done, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Server listening on')) done()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`sshd ended with ${code}: ${said}`)))
  })
}
