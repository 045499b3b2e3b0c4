import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { KubeconfigError } from './kubeconfig-error.ts'

/** The `exec` section of a kubeconfig user: a credential plugin. */
export interface ExecConfig {
  readonly command?: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly apiVersion?: string
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always'
}

/** The context in which the credential plugin runs. */
export interface ExecContext {
  /** The directory of the kubeconfig; a relative command is resolved against it. */
  readonly directory: string
  readonly user: string
  /** Passed to the plugin when `provideClusterInfo` is set. */
  readonly cluster: object
  /** The environment of the plugin, extended by `env` of the kubeconfig. */
  readonly environment: NodeJS.ProcessEnv
}

/** The `status` of the ExecCredential that a plugin prints. */
export interface ExecCredential {
  readonly token?: string
  readonly clientCertificateData?: string
  readonly clientKeyData?: string
  readonly expirationTimestamp?: string
}

/**
 * Obtains credentials from a credential plugin, like kubectl: the plugin runs before the first request, and again when the
 * token has expired. A client certificate is used from the first run only. The plugin runs synchronously.
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
    if (this.#credential === undefined || this.#isExpired(this.#credential)) this.#credential = this.#run()
    return this.#credential
  }

  #isExpired({ expirationTimestamp }: ExecCredential): boolean {
    return expirationTimestamp !== undefined && Date.parse(expirationTimestamp) - expiryMargin <= this.#now()
  }

  #run(): ExecCredential {
    const { command = '', args, env, apiVersion = latest, interactiveMode = 'IfAvailable' } = this.#config
    const isInteractive = interactiveMode !== 'Never' && process.stdin.isTTY === true
    if (interactiveMode === 'Always' && !isInteractive)
      throw this.#failure('it needs a terminal (interactiveMode: Always), and standard input is not one')
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
    if (error !== undefined) throw this.#failure(`cannot run it (${(error as NodeJS.ErrnoException).code})`)
    if (status !== 0)
      throw this.#failure(`it failed with ${status === null ? `signal ${signal}` : `exit code ${status}`}`)
    return this.#credentialFrom(stdout)
  }

  // A name without a slash is searched on the PATH.
  #path(command: string): string {
    return command.includes('/') ? resolve(this.#context.directory, command) : command
  }

  #credentialFrom(text: string): ExecCredential {
    try {
      const { status } = JSON.parse(text) as { status?: ExecCredential }
      if (status?.token !== undefined || status?.clientCertificateData !== undefined) return status
    } catch {
      // Reported below, without the output, which may contain a secret.
    }
    throw this.#failure('its output is not an ExecCredential with a token or a client certificate')
  }

  #failure(why: string): KubeconfigError {
    const { command, installHint } = this.#config
    const hint = installHint === undefined ? '' : `\n${installHint}`
    return new KubeconfigError(
      `cannot log in as user ${JSON.stringify(this.#context.user)} of the kubeconfig with ${command}: ${why}${hint}`,
    )
  }
}

const latest = 'client.authentication.k8s.io/v1'
// Milliseconds before its expiry at which a token is renewed, so that it does not expire during a request.
const expiryMargin = 10_000
