import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from './connection.ts'
import { basicEnvironment } from './local-machine.ts'
import type { Command, Machine, Outcome } from './machine.ts'
import { runProcess } from './run-process.ts'
import { remoteScript } from './shell-words.ts'
import { sshFailure } from './ssh-failure.ts'

/** Runs commands on another machine with `ssh`. Its configuration files are not read, and no agent is forwarded. */
export class SshMachine implements Machine {
  readonly #connection: Connection
  readonly #ssh: string

  constructor(connection: Connection, ssh = 'ssh') {
    this.#connection = connection
    this.#ssh = ssh
  }

  get name(): string {
    const { user, host } = this.#connection
    return user === null ? host : `${user}@${host}`
  }

  async run({ words, directory, environment, input, timeout, signal }: Command): Promise<Outcome> {
    const { script, preamble } = remoteScript(words, { directory, environment })
    const files = await mkdtemp(join(tmpdir(), 'hykube-ssh-'))
    try {
      const args = [...(await this.#options(files)), '--', this.#connection.host, script]
      const request = { program: this.#ssh, args, directory: null, environment: basicEnvironment() }
      const outcome = await runProcess({ ...request, input: preamble + input, timeout, signal })
      if (outcome.kind === 'not-started') return { ...outcome, why: `ssh: ${outcome.why}` }
      if (outcome.kind !== 'exited' || outcome.code !== clientFailed) return outcome
      return sshFailure({ ...outcome, log: await logIn(files) }, this.#connection) ?? outcome
    } finally {
      await rm(files, { recursive: true, force: true })
    }
  }

  async #options(files: string): Promise<string[]> {
    const { host, user, port, private_key: key, host_key: hostKey } = this.#connection
    const options = [...always, '-E', join(files, logFile)]
    if (key !== null) {
      const file = join(files, 'key')
      // The client rejects a key without a final newline.
      await writeFile(file, `${key.trimEnd()}\n`, { mode: 0o600 })
      options.push('-i', file, '-o', 'IdentitiesOnly=yes', '-o', 'IdentityAgent=none')
    }
    if (hostKey !== null) {
      const file = join(files, 'known_hosts')
      const name = port === 22 ? host : `[${host}]:${port}`
      const lines = hostKey.trim().split('\n')
      await writeFile(file, lines.map((line) => `${name} ${line.trim()}\n`).join(''), { mode: 0o600 })
      options.push('-o', `UserKnownHostsFile=${file}`, '-o', 'GlobalKnownHostsFile=/dev/null')
    }
    if (user !== null) options.push('-l', user)
    return [...options, '-p', String(port)]
  }
}

const logFile = 'log'

// Exit code of the client for its own failures; a command may also exit with it.
const clientFailed = 255

// The client's own messages go to a file, separate from the command's standard error.
function logIn(files: string): Promise<string> {
  return readFile(join(files, logFile), 'utf8').catch(() => '')
}

const always = [
  ...['-F', 'none', '-T', '-a', '-x'],
  ...[
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    'ConnectTimeout=30',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
    'LogLevel=ERROR',
  ].flatMap((option) => ['-o', option]),
]
