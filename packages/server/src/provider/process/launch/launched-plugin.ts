import { chmod, mkdir } from 'node:fs/promises'
import type { GrpcError } from '@hykube/tfplugin/grpc'
import {
  type Plugin,
  type PluginExit,
  type PluginLog,
  type ReattachTarget,
  startPlugin,
} from '@hykube/tfplugin/handshake'
import type { CallGuard, ProcessEnd } from '../guarded-calls.ts'
import type { CallDeadlines, CompleteProcessSettings } from '../process-settings.ts'
import { ProviderFailure } from '../provider-failure.ts'
import type { ProviderConfiguration, ProviderPackage } from '../provider-target.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { type SecretScrubber, secretVariables } from '../secrets/secret-scrubber.ts'
import { launchVariable } from '../system/launch-mark.ts'
import { watchMemory } from '../system/memory-watch.ts'
import type { PidFiles } from '../system/pid-files.ts'
import { identityOf, type ProcessIdentity } from '../system/process-identity.ts'
import { ProcessTree } from '../system/process-tree.ts'
import { type IsolatedLaunch, temporaryDirectory } from './isolation.ts'
import { checkUnchanged } from './package-check.ts'
import { providerEnvironment } from './provider-environment.ts'
import { reattachedPlugin } from './reattached-plugin.ts'

export interface LaunchOptions {
  readonly package: ProviderPackage
  /** The provider's owner, `CLUSTER/NAME`; each owner has its own user. */
  readonly owner: string
  readonly configuration: Omit<ProviderConfiguration, 'config'>
  readonly settings: CompleteProcessSettings
  readonly pidFiles: PidFiles
  /** The secrets to scrub from its output. Default: those of its configuration and environment. */
  readonly secrets?: KnownSecrets
  readonly signal?: AbortSignal | undefined
}

/** A provider process after its handshake: its memory is limited, and its exit is explained to pending calls. */
export class LaunchedPlugin implements CallGuard {
  readonly plugin: Plugin
  readonly identity: ProcessIdentity
  readonly named: string
  /** Resolves with the cause when the process has exited. */
  readonly ended: Promise<ProcessEnd>
  readonly #settings: CompleteProcessSettings
  readonly #secrets: KnownSecrets
  /** Absent for a reattached process: the server did not start it, so it neither limits nor kills it. */
  readonly #tree: ProcessTree | undefined
  #end: ProcessEnd | undefined
  #hasEnded = false

  constructor(
    plugin: Plugin,
    identity: ProcessIdentity,
    { settings, pidFiles }: LaunchOptions,
    secrets: KnownSecrets,
    tree: ProcessTree | undefined,
    named: string,
  ) {
    this.plugin = plugin
    this.identity = identity
    this.named = named
    this.#tree = tree
    this.#settings = settings
    this.#secrets = secrets
    const release =
      tree === undefined ? () => {} : watchMemory(tree, memorySettings(settings), (used) => this.#killForMemory(used))
    this.ended = plugin.exited.then(async (exit) => {
      release()
      tree?.kill()
      this.#hasEnded = true
      await pidFiles.remove(identity).catch(() => {})
      return this.#end ?? crash(exit)
    })
  }

  /** Starts the process in its own directory and environment, or connects to one of TF_REATTACH_PROVIDERS. */
  static async launch(options: LaunchOptions): Promise<LaunchedPlugin> {
    const { settings, configuration } = options
    const { secrets = secretsOf(configuration) } = options
    const onLog = (log: PluginLog) => settings.onLog(scrubbedLog(log, options, secrets.scrubber))
    try {
      const target = settings.reattach.get(options.package.source)
      if (target !== undefined)
        return await register(await reattach(target, onLog, options.signal), options, secrets, undefined)
      return await options.pidFiles.launch(async (marked) =>
        registerStarted(await start(options, marked, onLog), options, secrets),
      )
    } catch (error) {
      throw error instanceof ProviderFailure ? error : startFailure(error as Error, options, secrets.scrubber)
    }
  }

  get scrubber(): SecretScrubber {
    return this.#secrets.scrubber
  }

  get deadlines(): CallDeadlines {
    return this.#settings.deadlines
  }

  get answerLimit(): number {
    return this.#settings.answerLimit
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The process was told to stop or was killed, so no further calls may be sent to it. */
  get isEnding(): boolean {
    return this.#end !== undefined
  }

  get secrets(): KnownSecrets {
    return this.#secrets
  }

  /** Kills the process. Its pending calls fail with the given cause. */
  kill(end: ProcessEnd): void {
    this.#end ??= end
    // Scanned before the kill: children are found through their parent only while it lives.
    this.#tree?.look()
    void this.plugin.kill()
  }

  /** Asks the process to exit, and kills it after a grace period. Resolves when it has exited. */
  async stop(why: string): Promise<void> {
    this.#end ??= { reason: 'ProviderUnavailable', why }
    this.#tree?.look()
    await this.plugin.stop({ grace: this.#settings.stopGrace })
    await this.ended
  }

  async explain(error: GrpcError): Promise<ProcessEnd | undefined> {
    if (error.status === 'DEADLINE_EXCEEDED') return this.#checkHung(error)
    if (error.status !== 'UNAVAILABLE' && this.plugin.grpc.over === undefined) return undefined
    const { clock } = this.#settings
    const timer = new AbortController()
    const end = await Promise.race([
      this.ended,
      clock.sleep(exitWait, timer.signal).then(
        () => undefined,
        () => undefined,
      ),
    ])
    timer.abort()
    if (end !== undefined || this.plugin.grpc.over === undefined) return end
    this.kill({ reason: 'ProviderMisbehaved', why: `it closed the connection: ${error.message}; it was killed` })
    return this.#end
  }

  // A single slow call may be caused by the remote service. A process that also fails its health check hangs and is killed.
  async #checkHung(error: GrpcError): Promise<ProcessEnd | undefined> {
    if (await this.plugin.isHealthy()) return undefined
    if (this.#hasEnded) return this.ended
    this.kill({ reason: 'ProviderTimeout', why: `${error.message}, and it fails its health check; it was killed` })
    return this.#end
  }

  #killForMemory(used: number): void {
    this.kill({ reason: 'ProviderOutOfMemory', why: memoryText(used, this.#settings) })
  }
}

/** The name of a provider in messages. */
export function nameOf({ source, version }: Pick<ProviderPackage, 'source' | 'version'>): string {
  return `the provider ${source} ${version}`
}

/** The secrets in the configuration and environment of a process. */
export function secretsOf({ environment = {}, secrets = [] }: LaunchOptions['configuration']): KnownSecrets {
  return new KnownSecrets([...secrets, ...secretVariables(environment)])
}

// In milliseconds. A broken connection usually means that the process is exiting; its exit gives the better explanation.
const exitWait = 1500

// A process without a pid file would stay behind if the server were killed, so it is killed if the file can't be written.
async function registerStarted({ plugin, tree, mark }: Started, options: LaunchOptions, secrets: KnownSecrets) {
  try {
    return await register(plugin, options, secrets, tree, (identity) => options.pidFiles.add(identity, mark))
  } catch (error) {
    await plugin.kill()
    tree.kill()
    throw error
  }
}

async function register(
  plugin: Plugin,
  options: LaunchOptions,
  secrets: KnownSecrets,
  tree: ProcessTree | undefined,
  note?: (identity: ProcessIdentity) => Promise<void>,
): Promise<LaunchedPlugin> {
  const identity = (await identityOf(plugin.pid)) ?? { pid: plugin.pid, startTime: '' }
  await note?.(identity)
  return new LaunchedPlugin(plugin, identity, options, secrets, tree, nameOf(options.package))
}

interface Started {
  readonly plugin: Plugin
  readonly tree: ProcessTree
  readonly mark: string
}

function startFailure(error: Error, options: LaunchOptions, scrubber: SecretScrubber): ProviderFailure {
  const message = scrubber.text(error.message)
  const reason = options.signal?.aborted === true ? 'ProviderUnavailable' : 'HandshakeFailed'
  return new ProviderFailure(reason, `cannot start ${nameOf(options.package)}: ${message}`, {
    sent: false,
    // A cause is printed like the message, so it is kept only if it contains no secret.
    ...(message === error.message && { cause: error }),
  })
}

async function start(
  options: LaunchOptions,
  marked: Readonly<Record<string, string>>,
  onLog: (log: PluginLog) => void,
): Promise<Started> {
  const { settings, configuration, signal } = options
  const { environment } = configuration
  const mark = marked[launchVariable] ?? ''
  await checkUnchanged(options.package)
  const { command, workDirectory, user, ownUid, copiedFrom } = await launchOf(options)
  const [executable, ...args] = command
  let tree: ProcessTree | undefined
  const excess = new AbortController()
  let release = () => {}
  try {
    const plugin = await startPlugin({
      executable,
      args,
      named: options.package.executable,
      temporaryDirectory: temporaryDirectory(),
      ...(user !== undefined && { socketOwner: user }),
      env: { ...providerEnvironment(settings.environment, workDirectory, environment, settings.logLevel), ...marked },
      cwd: workDirectory,
      timeout: settings.startTimeout,
      ownGroup: true,
      largestMessage: largeResponseFactor * settings.answerLimit,
      onLog,
      onSpawn: (pid) => {
        tree = new ProcessTree(pid, mark, ownUid)
        release = watchMemory(tree, memorySettings(settings), (used) =>
          excess.abort(new Error(memoryText(used, settings))),
        )
      },
      signal: signal === undefined ? excess.signal : AbortSignal.any([signal, excess.signal]),
    })
    return { plugin, tree: tree!, mark }
  } catch (error) {
    tree?.kill()
    if (!excess.signal.aborted && copiedFrom !== undefined)
      throw new Error(
        `${(error as Error).message}; it was copied, because its user can't enter ${copiedFrom}: a script that needs files beside it must be in a directory that other users can read`,
      )
    if (!excess.signal.aborted) throw error
    const why = (excess.signal.reason as Error).message
    throw new ProviderFailure('ProviderOutOfMemory', `cannot start ${nameOf(options.package)}: ${why}`, { sent: false })
  } finally {
    release()
  }
}

// The built-in simulator stores its resources in the data directory and is part of the server, so it runs as the server's user.
async function launchOf({ package: of, owner, settings, configuration }: LaunchOptions): Promise<IsolatedLaunch> {
  const { workDirectory } = configuration
  const isOwnCode = of.builtIn === true && of.source.endsWith('/hykube/sim')
  if (settings.isolation !== undefined && !isOwnCode)
    return settings.isolation.prepare(owner, {
      executable: of.executable,
      home: workDirectory,
      needsSiblings: of.builtIn === true,
      needsAccount: configuration.needsAccount === true,
    })
  await mkdir(workDirectory, { recursive: true, mode: 0o700 })
  await chmod(workDirectory, 0o700)
  return { command: settings.isolation?.trusted(of.executable) ?? [of.executable], workDirectory }
}

// The limit of schemas and batch responses, as a multiple of the limit of one response.
const largeResponseFactor = 4

function reattach(
  target: ReattachTarget,
  onLog: (log: PluginLog) => void,
  signal: AbortSignal | undefined,
): Promise<Plugin> {
  return reattachedPlugin(target, { onLog, ...(signal !== undefined && { signal }) })
}

function scrubbedLog(log: PluginLog, { package: of, configuration }: LaunchOptions, scrubber: SecretScrubber) {
  const { level, message, module, fields } = log
  return {
    source: of.source,
    configuration: configuration.key,
    level,
    message: scrubber.text(message),
    ...(module !== undefined && { module }),
    ...(fields !== undefined && { fields: scrubber.json(fields) }),
  }
}

function memorySettings({ memoryLimit, memoryInterval }: CompleteProcessSettings) {
  return { limit: memoryLimit, interval: memoryInterval }
}

function memoryText(used: number, { memoryLimit }: CompleteProcessSettings): string {
  const why = `its process and its children used ${megabytes(used)} of memory, and ${megabytes(memoryLimit)} are allowed; it was killed`
  return `${why}. Raise --provider-memory-limit if it needs more`
}

function crash({ code, signal, panic }: PluginExit): ProcessEnd {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`
  const hint = signal === 'SIGKILL' ? ' (possibly by the out-of-memory killer)' : ''
  const next = 'it is restarted on demand; if this persists, report it to its developers'
  return { reason: 'ProviderCrashed', why: `its process ended with ${how}${hint}; ${next}`, panic }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
