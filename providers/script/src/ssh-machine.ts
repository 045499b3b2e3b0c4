import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basicEnvironment } from './local-machine.ts'
import type { Command, Machine, Outcome } from './machine.ts'
import { runProcess } from './run-process.ts'
import { remoteScript } from './shell-words.ts'

/** How another machine is reached. */
export interface Connection {
  readonly host: string
  readonly user: string | null
  readonly port: number
  readonly private_key: string | null
  /** The only key that the machine is believed by, as in `known_hosts` without the name. */
  readonly host_key: string | null
}

/** Commands on another machine, by the `ssh` of this one. Its configuration files are not read, and no agent is forwarded. */
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
      return outcome.kind === 'not-started' ? { ...outcome, why: `ssh: ${outcome.why}` } : outcome
    } finally {
      await rm(files, { recursive: true, force: true })
    }
  }

  async #options(files: string): Promise<string[]> {
    const { host, user, port, private_key: key, host_key: hostKey } = this.#connection
    const options = [...always]
    if (key !== null) {
      const file = join(files, 'key')
      // The client takes no key whose last line has no end.
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
