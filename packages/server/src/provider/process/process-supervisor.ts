import { abortable, abortReason } from '@hykube/machinery/base'
import { nameOf, secretsOf } from './launch/launched-plugin.ts'
import type { CompleteProcessSettings } from './process-settings.ts'
import type { ProcessSlots } from './process-slots.ts'
import { ProviderFailure } from './provider-failure.ts'
import type { ProviderProcess } from './provider-process.ts'
import type { ProviderTarget } from './provider-target.ts'
import { RestartBackoff } from './restart-backoff.ts'
import type { KnownSecrets } from './secrets/known-secrets.ts'

export interface SupervisorOptions {
  readonly target: ProviderTarget
  readonly settings: CompleteProcessSettings
  readonly slots: ProcessSlots
  /** Aborted when the server stops. */
  readonly closing: AbortSignal
  readonly start: (target: ProviderTarget, secrets: KnownSecrets) => Promise<ProviderProcess>
}

// One shared instance: creating an Error captures a stack trace, which is expensive for every call.
const used = new Error('the process is in use')

/** The process of one provider configuration: started on demand, restarted after a crash, stopped when it is idle. */
export class ProcessSupervisor {
  readonly #options: SupervisorOptions
  readonly #backoff: RestartBackoff
  /** The secrets to scrub from the output of its processes. */
  readonly secrets: KnownSecrets
  #starting: Promise<ProviderProcess> | undefined
  #process: ProviderProcess | undefined
  #waiting = 0
  #idle: AbortController | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.secrets = secretsOf(options.target.configuration)
    this.#backoff = new RestartBackoff(nameOf(options.target.package), options.settings)
  }

  get target(): ProviderTarget {
    return this.#options.target
  }

  get process(): ProviderProcess | undefined {
    return this.#process
  }

  /** No process, caller or pending restart delay would be lost by removing it. */
  get isDisposable(): boolean {
    return this.#starting === undefined && this.#waiting === 0 && this.#backoff.isClear
  }

  /** It has a process without users and without waiting callers. */
  get isIdle(): boolean {
    return this.#process !== undefined && this.#process.users === 0 && this.#waiting === 0
  }

  /** Returns a configured process, which is not stopped as idle until `release`. */
  async acquire(signal: AbortSignal | undefined): Promise<ProviderProcess> {
    this.#waiting++
    try {
      for (;;) {
        if (signal?.aborted === true) throw abortReason(signal)
        const process = await abortable(this.#current(), signal)
        if (!(await this.#isUsable(process))) continue
        this.#idle?.abort(used)
        process.users++
        return process
      }
    } finally {
      this.#waiting--
    }
  }

  release(process: ProviderProcess): void {
    const { settings, slots } = this.#options
    process.lastUsed = settings.clock.monotonic()
    if (--process.users > 0) return
    if (process.lastUsed - process.startedAt >= settings.stableAfter) this.#backoff.clear()
    slots.changed()
    if (this.#process === process) void this.#stopWhenIdle(process)
  }

  /** Stops the process, if there is one. Later callers get a new one. */
  async stop(why: string): Promise<void> {
    this.#idle?.abort(used)
    const starting = this.#starting
    this.#starting = undefined
    this.#process = undefined
    const process = await starting?.catch(() => undefined)
    await process?.stop(why)
  }

  #current(): Promise<ProviderProcess> {
    if (this.#starting === undefined) {
      const starting = this.#start()
      this.#starting = starting
      starting.catch(() => {
        if (this.#starting === starting) this.#starting = undefined
      })
    }
    return this.#starting
  }

  async #start(): Promise<ProviderProcess> {
    const { settings, slots, closing, start, target } = this.#options
    this.#backoff.check()
    await slots.take(closing)
    const begun = settings.clock.monotonic()
    try {
      const process = await start(target, this.secrets)
      void process.ended.then((end) => this.#ended(process, end, begun))
      this.#process = process
      // All callers have aborted in the meantime.
      if (this.#waiting === 0) void this.#stopWhenIdle(process)
      return process
    } catch (error) {
      slots.give()
      if (error instanceof ProviderFailure && error.reason !== 'CallCanceled') this.#backoff.failed(error, 0)
      throw error
    }
  }

  #ended(process: ProviderProcess, end: { readonly reason: string; readonly why: string }, begun: number): void {
    const { settings, slots } = this.#options
    // ProviderUnavailable is the reason of intended stops, which don't count as failures.
    if (end.reason !== 'ProviderUnavailable')
      this.#backoff.failed({ message: end.why }, settings.clock.monotonic() - begun)
    if (this.#process === process) {
      this.#process = undefined
      this.#starting = undefined
      this.#idle?.abort(used)
    }
    slots.give()
  }

  async #isUsable(process: ProviderProcess): Promise<boolean> {
    const { settings } = this.#options
    if (!(await process.isConnected())) return false
    const idle = settings.clock.monotonic() - process.lastUsed
    if (process.users > 0 || idle < settings.healthAfter || (await process.isHealthy())) return !process.hasEnded
    process.kill({ reason: 'ProviderMisbehaved', why: 'it failed its health check; it was killed' })
    await process.ended
    return false
  }

  async #stopWhenIdle(process: ProviderProcess): Promise<void> {
    const { settings } = this.#options
    this.#idle?.abort(used)
    const idle = new AbortController()
    this.#idle = idle
    try {
      await settings.clock.sleep(settings.idleTimeout, idle.signal)
    } catch {
      return
    }
    if (process.users === 0 && this.#process === process) await this.stop('it was idle')
  }
}
