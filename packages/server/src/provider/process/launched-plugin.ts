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
import { KnownSecrets } from './known-secrets.ts'
import { watchMemory } from './memory-watch.ts'
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
  #end: ProcessEnd | undefined
  #hasEnded = false

  constructor(
    plugin: Plugin,
    identity: ProcessIdentity,
    { settings, ledger, package: of }: LaunchOptions,
    secrets: KnownSecrets,
  ) {
    this.plugin = plugin
    this.identity = identity
    this.named = nameOf(of)
    this.#settings = settings
    this.#secrets = secrets
    // What somebody else runs, under a debugger mostly, is theirs to watch.
    const isOurs = !settings.reattach.has(of.source)
    const release = isOurs
      ? watchMemory(plugin.pid, memorySettings(settings), (used) => this.#exceeded(used))
      : () => {}
    this.ended = plugin.exited.then(async (exit) => {
      release()
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
      if (target !== undefined) return await met(await reattach(target, onLog, options.signal), options, secrets)
      return await options.ledger.launch(async (marked) =>
        met(await start(options, marked, onLog), options, secrets, (identity) => options.ledger.note(identity)),
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
    void this.plugin.kill()
  }

  /** Asks it to end, and ends it when it does not. Resolves when it has ended. */
  async stop(why: string): Promise<void> {
    this.#end ??= { reason: 'ProviderUnavailable', why }
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
async function met(
  plugin: Plugin,
  options: LaunchOptions,
  secrets: KnownSecrets,
  note?: (identity: ProcessIdentity) => Promise<void>,
): Promise<LaunchedPlugin> {
  try {
    const identity = (await identityOf(plugin.pid)) ?? { pid: plugin.pid, startTime: '' }
    await note?.(identity)
    return new LaunchedPlugin(plugin, identity, options, secrets)
  } catch (error) {
    await plugin.kill()
    throw error
  }
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
): Promise<Plugin> {
  const { settings, configuration, signal } = options
  const { workDirectory, environment } = configuration
  await mkdir(workDirectory, { recursive: true, mode: 0o700 })
  await chmod(workDirectory, 0o700)
  const excess = new AbortController()
  let release = () => {}
  try {
    return await startPlugin({
      executable: options.package.executable,
      env: { ...providerEnvironment(settings.environment, workDirectory, environment, settings.logLevel), ...marked },
      cwd: workDirectory,
      timeout: settings.startTime,
      ownGroup: true,
      largestMessage: manyAnswers * settings.answerLimit,
      onLog,
      onSpawn: (pid) => {
        release = watchMemory(pid, memorySettings(settings), (used) =>
          excess.abort(new Error(excessText(used, settings))),
        )
      },
      signal: signal === undefined ? excess.signal : AbortSignal.any([signal, excess.signal]),
    })
  } catch (error) {
    if (!excess.signal.aborted) throw error
    const why = (excess.signal.reason as Error).message
    throw new ProviderFailure('ProviderOutOfMemory', `cannot start ${nameOf(options.package)}: ${why}`, { sent: false })
  } finally {
    release()
  }
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
  const why = `its process used ${megabytes(used)} of memory, and ${megabytes(memoryLimit)} are allowed; it was ended`
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
