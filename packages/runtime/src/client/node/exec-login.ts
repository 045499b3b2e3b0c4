import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { KubeconfigError } from './kubeconfig-error.ts'

/** The `exec` of a kubeconfig's user: a program that logs in. */
export interface ExecConfig {
  readonly command?: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly apiVersion?: string
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always'
}

/** What the program is told of where it is called from. */
export interface ExecContext {
  /** Of the kubeconfig: relative paths are meant from there. */
  readonly directory: string
  readonly user: string
  /** Told when it asks for it. */
  readonly cluster: object
  /** The environment that it gets, besides what the kubeconfig says. */
  readonly environment: NodeJS.ProcessEnv
}

/** What a program said: who asks. */
export interface ExecCredential {
  readonly token?: string
  readonly clientCertificateData?: string
  readonly clientKeyData?: string
  readonly expirationTimestamp?: string
}

/**
 * A login by a program, as kubectl does it: run when something is first asked, and again when what it said has run out. Certificates
 * are taken from the first answer only.
 */
export class ExecLogin {
  readonly #config: ExecConfig
  readonly #context: ExecContext
  readonly #now: () => number
  #credential: ExecCredential | undefined

  constructor(config: ExecConfig, context: ExecContext, now: () => number = Date.now) {
    this.#config = config
    this.#context = context
    this.#now = now
  }

  get credential(): ExecCredential {
    if (this.#credential === undefined || this.#hasEnded(this.#credential)) this.#credential = this.#run()
    return this.#credential
  }

  #hasEnded({ expirationTimestamp }: ExecCredential): boolean {
    return expirationTimestamp !== undefined && Date.parse(expirationTimestamp) - soon <= this.#now()
  }

  #run(): ExecCredential {
    const { command = '', args, env, apiVersion = latest, interactiveMode = 'IfAvailable' } = this.#config
    const isInteractive = interactiveMode !== 'Never' && process.stdin.isTTY === true
    if (interactiveMode === 'Always' && !isInteractive) throw this.#failure('it wants to ask, and there is no terminal')
    const cluster = this.#config.provideClusterInfo === true ? { cluster: this.#context.cluster } : {}
    const info = { apiVersion, kind: 'ExecCredential', spec: { ...cluster, interactive: isInteractive } }
    const { stdout, status, signal, error } = spawnSync(this.#path(command), args ?? [], {
      encoding: 'utf8',
      stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      env: {
        ...this.#context.environment,
        ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify(info),
      },
    })
    if (error !== undefined) throw this.#failure(`it can't be run (${(error as NodeJS.ErrnoException).code})`)
    if (status !== 0) throw this.#failure(`it ended with ${status ?? signal}`)
    return this.#credentialFrom(stdout)
  }

  // A name alone is looked for on the PATH.
  #path(command: string): string {
    return command.includes('/') ? resolve(this.#context.directory, command) : command
  }

  #credentialFrom(text: string): ExecCredential {
    try {
      const { status } = JSON.parse(text) as { status?: ExecCredential }
      if (status?.token !== undefined || status?.clientCertificateData !== undefined) return status
    } catch {
      // Told below, without what it said: that may hold a secret.
    }
    throw this.#failure('it did not say who you are (an ExecCredential with a token or a certificate)')
  }

  #failure(why: string): KubeconfigError {
    const { command, installHint } = this.#config
    const hint = installHint === undefined ? '' : `\n${installHint}`
    return new KubeconfigError(
      `user ${JSON.stringify(this.#context.user)} of the kubeconfig logs in with ${command}: ${why}${hint}`,
    )
  }
}

const latest = 'client.authentication.k8s.io/v1'
// A token that ends while a request is on its way is no good.
const soon = 10_000
