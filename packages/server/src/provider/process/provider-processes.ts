import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { abortable, abortReason } from '@hykube/machinery/base'
import { temporaryDirectory } from './launch/isolation.ts'
import { LaunchedPlugin, nameOf } from './launch/launched-plugin.ts'
import { type CompleteProcessSettings, completeProcessSettings, type ProcessSettings } from './process-settings.ts'
import { ProcessSlots } from './process-slots.ts'
import { ProcessSupervisor } from './process-supervisor.ts'
import { ProviderFailure } from './provider-failure.ts'
import { ProviderProcess } from './provider-process.ts'
import type { PackageSchema, ProviderPackage, ProviderSession, ProviderTarget } from './provider-target.ts'
import { RestartBackoff } from './restart-backoff.ts'
import { fetchSchemaBytes, packageSchemaFrom } from './schema/fetch-schema.ts'
import type { SchemaBytes } from './schema/schema-file.ts'
import { SchemaStore } from './schema/schema-store.ts'
import type { KnownSecrets } from './secrets/known-secrets.ts'
import { PidFiles } from './system/pid-files.ts'
import type { ProcessIdentity } from './system/process-identity.ts'
import { killEscaped, treeOf } from './system/process-tree.ts'

/** A running process, for metrics and diagnostics. */
export interface RunningProvider extends ProcessIdentity {
  readonly source: string
  readonly version: string
  readonly configuration: string
  /** The number of callers that use it. */
  readonly users: number
  /** In bytes; absent if unknown. */
  readonly memory?: number
}

interface UseOptions {
  readonly signal?: AbortSignal
}

/**
 * The processes of providers: one for each owner, package and configuration, started on demand, shared by callers, limited in
 * number and memory, and stopped when idle. A crash fails only the calls of that process.
 */
export class ProviderProcesses {
  readonly #settings: CompleteProcessSettings
  readonly #pidFiles: PidFiles
  readonly #slots: ProcessSlots
  readonly #schemas: SchemaStore
  readonly #supervisors = new Map<string, ProcessSupervisor>()
  readonly #schemaBackoffs = new Map<string, RestartBackoff>()
  readonly #closing = new AbortController()
  readonly #live = new Set<ProviderProcess>()
  readonly #fetching = new Set<Promise<unknown>>()

  constructor(settings: ProcessSettings) {
    this.#settings = completeProcessSettings(settings)
    this.#pidFiles = new PidFiles(this.#settings.pidDirectory)
    this.#slots = new ProcessSlots(this.#settings.maxProcesses, () => this.#evict())
    this.#schemas = new SchemaStore(this.#settings.schemaDirectory, (of) => this.#askForSchema(of))
  }

  /**
   * Runs work with a provider. Waits while the maximum number of processes is busy. If the provider can't be started, fails with
   * a ProviderFailure whose `sent` is false; errors of the work are passed on. The signal aborts only the wait. Work must not
   * use another provider inside, because two such callers could deadlock on the limit.
   */
  async use<T>(
    target: ProviderTarget,
    work: (session: ProviderSession) => Promise<T>,
    { signal }: UseOptions = {},
  ): Promise<T> {
    const supervisor = this.#supervisorOf(target)
    const process = await this.#translateAbort(supervisor.acquire(signal), target.package, signal)
    try {
      return await work(process.session)
    } finally {
      supervisor.release(process)
    }
  }

  /** Registers sensitive strings of a following call, so that they are scrubbed from the provider's logs and failures. */
  addSecrets(target: ProviderTarget, secrets: readonly string[]): void {
    if (!this.#closing.signal.aborted) this.#supervisorOf(target).secrets.addRecent(secrets)
  }

  /** The schemas of a package: from memory, from a file, or from a process started for it, in this order. */
  schemaOf(given: ProviderPackage, { signal }: UseOptions = {}): Promise<PackageSchema> {
    const schema = this.#isReattached(given) ? this.fetchSchema(given) : this.#schemas.of(given)
    return this.#translateAbort(abortable(schema, signal), given, signal)
  }

  /** Requests the schemas from a new process, unconfigured and with a clean environment, and stops it afterwards. */
  async fetchSchema(given: ProviderPackage): Promise<PackageSchema> {
    return this.#isReattached(given) ? packageSchemaFrom(await this.#askForSchema(given)) : this.#schemas.refresh(given)
  }

  /** The running processes. */
  async list(): Promise<readonly RunningProvider[]> {
    const running = [...this.#supervisors.values()].flatMap(({ target, process }) =>
      process === undefined ? [] : [{ target, process }],
    )
    return Promise.all(
      running.map(async ({ target, process }) => {
        const memory = treeOf(process.session.process).memory()
        const { source, version } = target.package
        return {
          ...{ ...process.session.process, source, version, users: process.users },
          configuration: target.configuration.key,
          ...(memory > 0 && { memory }),
        }
      }),
    )
  }

  /** Stops the processes of removed providers and replaced configurations. */
  async retire(shouldStop: (target: ProviderTarget) => boolean): Promise<void> {
    const stopped = [...this.#supervisors].filter(([, { target }]) => shouldStop(target))
    for (const [key, { target }] of stopped) {
      this.#supervisors.delete(key)
      this.#schemas.forget(target.package)
    }
    await Promise.all(stopped.map(([, supervisor]) => supervisor.stop('its provider or configuration was removed')))
  }

  /** Kills processes that a killed server of this directory left behind. Must be called before the first use. */
  killOrphans(): Promise<number> {
    killEscaped(this.#settings.isolation?.knownUids ?? [])
    return this.#pidFiles.killOrphans()
  }

  /** Refuses new work and stops all processes, after waiting up to `drain` milliseconds (default 0) for running work. */
  async close({ drain = 0 }: { readonly drain?: number } = {}): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new Error('the server is stopping'))
    await this.#drained(drain)
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.stop('the server is stopping')))
    // Processes whose supervisor was removed may still be stopping.
    await Promise.all([...this.#live].map((process) => process.stop('the server is stopping')))
    await Promise.allSettled(this.#fetching)
  }

  #supervisorOf(target: ProviderTarget): ProcessSupervisor {
    if (this.#closing.signal.aborted)
      throw new ProviderFailure('ProviderUnavailable', `cannot use ${nameOf(target.package)}: the server is stopping`, {
        sent: false,
      })
    const key = keyOf(target)
    const known = this.#supervisors.get(key)
    if (known !== undefined) return known
    this.#removeDisposable()
    const supervisor = new ProcessSupervisor({
      target,
      settings: this.#settings,
      slots: this.#slots,
      closing: this.#closing.signal,
      start: (of, secrets) => this.#start(of, secrets),
    })
    this.#supervisors.set(key, supervisor)
    return supervisor
  }

  async #start(target: ProviderTarget, secrets: KnownSecrets): Promise<ProviderProcess> {
    const isReattached = this.#isReattached(target.package)
    const process = await ProviderProcess.start(target, {
      settings: this.#settings,
      pidFiles: this.#pidFiles,
      secrets,
      signal: this.#closing.signal,
      schemaOf: async (launched) =>
        isReattached ? packageSchemaFrom(await fetchSchemaBytes(launched)) : this.#schemas.of(target.package),
    })
    this.#live.add(process)
    void process.ended.then(() => this.#live.delete(process))
    return process
  }

  #askForSchema(given: ProviderPackage): Promise<SchemaBytes> {
    const fetching = this.#fetchBytes(given)
    this.#fetching.add(fetching)
    const forget = () => this.#fetching.delete(fetching)
    fetching.then(forget, forget)
    return fetching
  }

  async #fetchBytes(given: ProviderPackage): Promise<SchemaBytes> {
    const backoff =
      this.#schemaBackoffs.get(given.schemaKey ?? given.hash) ?? new RestartBackoff(nameOf(given), this.#settings)
    this.#schemaBackoffs.set(given.schemaKey ?? given.hash, backoff)
    backoff.check()
    const workDirectory = await mkdtemp(join(temporaryDirectory(), 'hykube-schema-'))
    try {
      const signal = this.#closing.signal
      const configuration = { key: '', workDirectory }
      const owner = `schema of ${given.hash}`
      const launch = {
        package: given,
        owner,
        configuration,
        settings: this.#settings,
        pidFiles: this.#pidFiles,
        signal,
      }
      const launched = await LaunchedPlugin.launch(launch)
      try {
        const bytes = await fetchSchemaBytes(launched, signal)
        this.#schemaBackoffs.delete(given.schemaKey ?? given.hash)
        return bytes
      } finally {
        await launched.stop('its schema is known')
      }
    } catch (error) {
      if (error instanceof ProviderFailure) backoff.failed(error, 0)
      throw error
    } finally {
      await rm(workDirectory, { recursive: true, force: true })
    }
  }

  #isReattached({ source }: ProviderPackage): boolean {
    return this.#settings.reattach.has(source)
  }

  async #translateAbort<T>(promise: Promise<T>, of: ProviderPackage, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await promise
    } catch (error) {
      if (error instanceof ProviderFailure) throw error
      const canceled = signal?.aborted === true ? signal : this.#closing.signal
      if (!canceled.aborted) throw error
      const reason = canceled === signal ? 'CallCanceled' : 'ProviderUnavailable'
      const message = `cannot use ${nameOf(of)}: ${abortReason(canceled).message}`
      throw new ProviderFailure(reason, message, { sent: false, cause: error })
    }
  }

  // Stops the process that has been idle for the longest time.
  #evict(): boolean {
    const idle = [...this.#supervisors.values()].filter((supervisor) => supervisor.isIdle)
    const oldest = idle.sort((a, b) => a.process!.lastUsed - b.process!.lastUsed)[0]
    if (oldest === undefined) return false
    void oldest.stop('another provider needed its slot')
    return true
  }

  #removeDisposable(): void {
    for (const [key, supervisor] of this.#supervisors) if (supervisor.isDisposable) this.#supervisors.delete(key)
  }

  async #drained(drain: number): Promise<void> {
    const { clock } = this.#settings
    const until = clock.monotonic() + drain
    const isBusy = () =>
      [...this.#supervisors.values()].some(({ process }) => process !== undefined && process.users > 0)
    while (clock.monotonic() < until && isBusy()) await clock.sleep(Math.min(50, drain))
  }
}

// Callers pass the same target object with every call, so its key is computed once.
const keys = new WeakMap<ProviderTarget, string>()

function keyOf(target: ProviderTarget): string {
  let key = keys.get(target)
  if (key === undefined) {
    key = JSON.stringify([target.owner, target.package.source, target.package.hash, target.configuration.key])
    keys.set(target, key)
  }
  return key
}
