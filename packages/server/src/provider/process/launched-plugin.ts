import { chmod, mkdir } from 'node:fs/promises'
import type { GrpcError } from '@hykube/tfplugin/grpc'
import {
  type Plugin,
  type PluginExit,
  type PluginLog,
  type ReattachTarget,
  startPlugin,
} from '@hykube/tfplugin/handshake'
import type { CallGuard, ProcessEnd } from './guarded-calls.ts'
import { type IsolatedLaunch, temporaryDirectory } from './isolation.ts'
import { KnownSecrets } from './known-secrets.ts'
import { launchVariable } from './launch-mark.ts'
import { watchMemory } from './memory-watch.ts'
import { checkUnchanged } from './package-check.ts'
import { ProcessFamily } from './process-family.ts'
import { identityOf, type ProcessIdentity } from './process-identity.ts'
import type { ProcessLedger } from './process-ledger.ts'
import type { CallDeadlines, CompleteProcessSettings } from './process-settings.ts'
import { providerEnvironment } from './provider-environment.ts'
import { ProviderFailure } from './provider-failure.ts'
import type { ProviderConfiguration, ProviderPackage } from './provider-target.ts'
import { reattachedPlugin } from './reattached-plugin.ts'
import { type SecretScrubber, secretVariables } from './secret-scrubber.ts'

export interface LaunchOptions {
  readonly package: ProviderPackage
  /** Which provider it is: each has a user of its own. */
  readonly owner: string
  readonly configuration: Omit<ProviderConfiguration, 'config'>
  readonly settings: CompleteProcessSettings
  readonly ledger: ProcessLedger
  /** What it must not say. Default: what its configuration and environment hold. */
  readonly secrets?: KnownSecrets
  readonly signal?: AbortSignal | undefined
}

/** A provider's process from the moment it is met to its end: its memory is watched, its end is explained. */
export class LaunchedPlugin implements CallGuard {
  readonly plugin: Plugin
  readonly identity: ProcessIdentity
  readonly named: string
  /** Resolves when it is over, with why. */
  readonly ended: Promise<ProcessEnd>
  readonly #settings: CompleteProcessSettings
  readonly #secrets: KnownSecrets
  /** Absent for a process that a debugger runs: it is not ours to watch or to end. */
  readonly #family: ProcessFamily | undefined
  #end: ProcessEnd | undefined
  #hasEnded = false

  constructor(
    plugin: Plugin,
    identity: ProcessIdentity,
    { settings, ledger }: LaunchOptions,
    secrets: KnownSecrets,
    family: ProcessFamily | undefined,
    named: string,
  ) {
    this.plugin = plugin
    this.identity = identity
    this.named = named
    this.#family = family
    this.#settings = settings
    this.#secrets = secrets
    const release =
      family === undefined ? () => {} : watchMemory(family, memorySettings(settings), (used) => this.#exceeded(used))
    this.ended = plugin.exited.then(async (exit) => {
      release()
      family?.kill()
      this.#hasEnded = true
      await ledger.strike(identity).catch(() => {})
      return this.#end ?? crash(exit)
    })
  }

  /** Starts the process in its own directory and environment, or joins the one that somebody else runs. */
  static async launch(options: LaunchOptions): Promise<LaunchedPlugin> {
    const { settings, configuration } = options
    const { secrets = secretsOf(configuration) } = options
    const onLog = (log: PluginLog) => settings.onLog(cleanLog(log, options, secrets.scrubber))
    try {
      const target = settings.reattach.get(options.package.source)
      if (target !== undefined)
        return await met(await reattach(target, onLog, options.signal), options, secrets, undefined)
      return await options.ledger.launch(async (marked) =>
        metOurs(await start(options, marked, onLog), options, secrets),
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

  /** Whether it was asked or made to end, so that nothing more should be sent to it. */
  get isEnding(): boolean {
    return this.#end !== undefined
  }

  get secrets(): KnownSecrets {
    return this.#secrets
  }

  /** Ends the process now, for a reason that its calls are told. */
  kill(end: ProcessEnd): void {
    this.#end ??= end
    // Children are found by their parent as long as it lives.
    this.#family?.look()
    void this.plugin.kill()
  }

  /** Asks it to end, and ends it when it does not. Resolves when it has ended. */
  async stop(why: string): Promise<void> {
    this.#end ??= { reason: 'ProviderUnavailable', why }
    this.#family?.look()
    await this.plugin.stop({ grace: this.#settings.stopGrace })
    await this.ended
  }

  async explain(error: GrpcError): Promise<ProcessEnd | undefined> {
    if (error.status === 'DEADLINE_EXCEEDED') return this.#hung(error)
    if (error.status !== 'UNAVAILABLE' && this.plugin.grpc.over === undefined) return undefined
    const { clock } = this.#settings
    const patience = new AbortController()
    const end = await Promise.race([
      this.ended,
      clock.sleep(lastWords, patience.signal).then(
        () => undefined,
        () => undefined,
      ),
    ])
    patience.abort()
    if (end !== undefined || this.plugin.grpc.over === undefined) return end
    this.kill({ reason: 'ProviderMisbehaved', why: `it broke the connection off: ${error.message}; it was ended` })
    return this.#end
  }

  // One call that takes too long may be the outside's fault; a process that does not even say that it is well hangs.
  async #hung(error: GrpcError): Promise<ProcessEnd | undefined> {
    if (await this.plugin.isHealthy()) return undefined
    if (this.#hasEnded) return this.ended
    this.kill({ reason: 'ProviderTimeout', why: `${error.message}, and it does not say that it is well; it was ended` })
    return this.#end
  }

  #exceeded(used: number): void {
    this.kill({ reason: 'ProviderOutOfMemory', why: excessText(used, this.#settings) })
  }
}

/** A provider for messages. */
export function nameOf({ source, version }: Pick<ProviderPackage, 'source' | 'version'>): string {
  return `the provider ${source} ${version}`
}

/** What the configuration of a process holds that it must not say. */
export function secretsOf({ environment = {}, secrets = [] }: LaunchOptions['configuration']): KnownSecrets {
  return new KnownSecrets([...secrets, ...secretVariables(environment)])
}

const lastWords = 1500

// A process that can't be noted would be lost if the server were killed.
async function metOurs({ plugin, family, mark }: Started, options: LaunchOptions, secrets: KnownSecrets) {
  try {
    return await met(plugin, options, secrets, family, (identity) => options.ledger.note(identity, mark))
  } catch (error) {
    await plugin.kill()
    family.kill()
    throw error
  }
}

async function met(
  plugin: Plugin,
  options: LaunchOptions,
  secrets: KnownSecrets,
  family: ProcessFamily | undefined,
  note?: (identity: ProcessIdentity) => Promise<void>,
): Promise<LaunchedPlugin> {
  const identity = (await identityOf(plugin.pid)) ?? { pid: plugin.pid, startTime: '' }
  await note?.(identity)
  return new LaunchedPlugin(plugin, identity, options, secrets, family, nameOf(options.package))
}

interface Started {
  readonly plugin: Plugin
  readonly family: ProcessFamily
  readonly mark: string
}

function startFailure(error: Error, options: LaunchOptions, scrubber: SecretScrubber): ProviderFailure {
  const message = scrubber.text(error.message)
  const reason = options.signal?.aborted === true ? 'ProviderUnavailable' : 'HandshakeFailed'
  return new ProviderFailure(reason, `cannot start ${nameOf(options.package)}: ${message}`, {
    sent: false,
    // A cause is as public as the message.
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
  const { command, workDirectory, user, copiedFrom } = await launchOf(options)
  const [executable, ...args] = command
  let family: ProcessFamily | undefined
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
      timeout: settings.startTime,
      ownGroup: true,
      largestMessage: manyAnswers * settings.answerLimit,
      onLog,
      onSpawn: (pid) => {
        family = new ProcessFamily(pid, mark)
        release = watchMemory(family, memorySettings(settings), (used) =>
          excess.abort(new Error(excessText(used, settings))),
        )
      },
      signal: signal === undefined ? excess.signal : AbortSignal.any([signal, excess.signal]),
    })
    return { plugin, family: family!, mark }
  } catch (error) {
    family?.kill()
    if (!excess.signal.aborted && copiedFrom !== undefined)
      throw new Error(
        `${(error as Error).message}; it was copied, because its user can't enter ${copiedFrom}: a script that needs files beside it must lie where others can read`,
      )
    if (!excess.signal.aborted) throw error
    const why = (excess.signal.reason as Error).message
    throw new ProviderFailure('ProviderOutOfMemory', `cannot start ${nameOf(options.package)}: ${why}`, { sent: false })
  } finally {
    release()
  }
}

// Our own simulator keeps its world in the data directory, and is as trusted as the server: it runs as the server's user.
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
  return { command: [of.executable], workDirectory }
}

// How many times the answer to one call a schema may be, or the answer to many calls.
const manyAnswers = 4

function reattach(
  target: ReattachTarget,
  onLog: (log: PluginLog) => void,
  signal: AbortSignal | undefined,
): Promise<Plugin> {
  return reattachedPlugin(target, { onLog, ...(signal !== undefined && { signal }) })
}

function cleanLog(log: PluginLog, { package: of, configuration }: LaunchOptions, scrubber: SecretScrubber) {
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

function excessText(used: number, { memoryLimit }: CompleteProcessSettings): string {
  const why = `its process, with all that it started, used ${megabytes(used)} of memory, and ${megabytes(memoryLimit)} are allowed; it was ended`
  return `${why}. Raise --provider-memory-limit if it needs more`
}

function crash({ code, signal, panic }: PluginExit): ProcessEnd {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`
  const hint = signal === 'SIGKILL' ? ' (by the system, for want of memory?)' : ''
  const next = 'it is started again when it is needed; if this goes on, tell its makers'
  return { reason: 'ProviderCrashed', why: `its process ended with ${how}${hint}; ${next}`, panic }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
