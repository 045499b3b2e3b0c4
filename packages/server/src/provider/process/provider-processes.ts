import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { abortable, abortReason } from '@hykube/machinery/base'
import { fetchSchemaBytes, packageSchemaFrom } from './fetch-schema.ts'
import { temporaryDirectory } from './isolation.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { LaunchedPlugin, nameOf } from './launched-plugin.ts'
import { familyOf } from './process-family.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { ProcessLedger } from './process-ledger.ts'
import { type CompleteProcessSettings, completeProcessSettings, type ProcessSettings } from './process-settings.ts'
import { ProcessSlots } from './process-slots.ts'
import { ProviderFailure } from './provider-failure.ts'
import { ProviderPool } from './provider-pool.ts'
import { ProviderProcess } from './provider-process.ts'
import type { PackageSchema, ProviderPackage, ProviderSession, ProviderTarget } from './provider-target.ts'
import { RestartBackoff } from './restart-backoff.ts'
import type { SchemaBytes } from './schema-file.ts'
import { SchemaStore } from './schema-store.ts'

/** A process that runs now. */
export interface RunningProvider extends ProcessIdentity {
  readonly source: string
  readonly version: string
  readonly configuration: string
  /** How many pieces of work use it. */
  readonly users: number
  /** In bytes, where that can be known. */
  readonly memory?: number
}

interface UseOptions {
  readonly signal?: AbortSignal
}

/**
 * The processes of providers: one for each package and configuration, started on demand, shared, watched, bounded in
 * number and memory, and stopped when nobody needs them. What one of them does hurts only the calls that it was given.
 */
export class ProviderProcesses {
  readonly #settings: CompleteProcessSettings
  readonly #ledger: ProcessLedger
  readonly #slots: ProcessSlots
  readonly #schemas: SchemaStore
  readonly #pools = new Map<string, ProviderPool>()
  readonly #schemaBackoffs = new Map<string, RestartBackoff>()
  readonly #closing = new AbortController()
  readonly #live = new Set<ProviderProcess>()
  readonly #fetching = new Set<Promise<unknown>>()

  constructor(settings: ProcessSettings) {
    this.#settings = completeProcessSettings(settings)
    this.#ledger = new ProcessLedger(this.#settings.ledgerDirectory)
    this.#slots = new ProcessSlots(this.#settings.mostProcesses, () => this.#evict())
    this.#schemas = new SchemaStore(this.#settings.schemaDirectory, (of) => this.#askForSchema(of))
  }

  /**
   * Lets work use a provider. Waits while too many processes are busy. Fails with ProviderFailure that was not sent when
   * the provider can't be made ready; what the work itself fails with is passed on. The signal ends the waiting only.
   * Work must not wait for another provider: all might be waiting for one another.
   */
  async use<T>(
    target: ProviderTarget,
    work: (session: ProviderSession) => Promise<T>,
    { signal }: UseOptions = {},
  ): Promise<T> {
    const pool = this.#poolOf(target)
    const process = await this.#unlessCanceled(pool.acquire(signal), target.package, signal)
    try {
      return await work(process.session)
    } finally {
      pool.release(process)
    }
  }

  /** Strings that a provider is about to be given, and that must not be seen in what it says, in logs as in failures. */
  hide(target: ProviderTarget, secrets: readonly string[]): void {
    if (!this.#closing.signal.aborted) this.#poolOf(target).secrets.hide(secrets)
  }

  /** What a package says of itself: from memory, from a file, or from a process started for it, in this order. */
  schemaOf(given: ProviderPackage, { signal }: UseOptions = {}): Promise<PackageSchema> {
    const schema = this.#isReattached(given) ? this.fetchSchema(given) : this.#schemas.of(given)
    return this.#unlessCanceled(abortable(schema, signal), given, signal)
  }

  /** The same, but the provider itself is asked: unconfigured, in a clean environment, and stopped afterwards. */
  async fetchSchema(given: ProviderPackage): Promise<PackageSchema> {
    return this.#isReattached(given) ? packageSchemaFrom(await this.#askForSchema(given)) : this.#schemas.refresh(given)
  }

  /** What runs now. */
  async list(): Promise<readonly RunningProvider[]> {
    const running = [...this.#pools.values()].flatMap(({ target, process }) =>
      process === undefined ? [] : [{ target, process }],
    )
    return Promise.all(
      running.map(async ({ target, process }) => {
        const memory = familyOf(process.session.process).memory()
        const { source, version } = target.package
        return {
          ...{ ...process.session.process, source, version, users: process.users },
          configuration: target.configuration.key,
          ...(memory > 0 && { memory }),
        }
      }),
    )
  }

  /** Stops the processes of what is not wanted any more: a removed provider, a configuration that was replaced. */
  async retire(isUnwanted: (target: ProviderTarget) => boolean): Promise<void> {
    const unwanted = [...this.#pools].filter(([, { target }]) => isUnwanted(target))
    for (const [key, { target }] of unwanted) {
      this.#pools.delete(key)
      this.#schemas.forget(target.package)
    }
    await Promise.all(unwanted.map(([, pool]) => pool.stop('it is not wanted any more')))
  }

  /** Ends processes that an earlier server of this directory left behind; to be called before the first use. */
  endLeftBehind(): Promise<number> {
    return this.#ledger.endLeftBehind()
  }

  /** Takes no more work and ends all processes; work under way is given `drain` milliseconds (default none) first. */
  async close({ drain = 0 }: { readonly drain?: number } = {}): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new Error('the server is stopping'))
    await this.#drained(drain)
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop('the server is stopping')))
    // Some were on their way out already.
    await Promise.all([...this.#live].map((process) => process.stop('the server is stopping')))
    await Promise.allSettled(this.#fetching)
  }

  #poolOf(target: ProviderTarget): ProviderPool {
    if (this.#closing.signal.aborted)
      throw new ProviderFailure('ProviderUnavailable', `cannot use ${nameOf(target.package)}: the server is stopping`, {
        sent: false,
      })
    const key = keyOf(target)
    const known = this.#pools.get(key)
    if (known !== undefined) return known
    this.#sweep()
    const pool = new ProviderPool({
      target,
      settings: this.#settings,
      slots: this.#slots,
      closing: this.#closing.signal,
      start: (of, secrets) => this.#start(of, secrets),
    })
    this.#pools.set(key, pool)
    return pool
  }

  async #start(target: ProviderTarget, secrets: KnownSecrets): Promise<ProviderProcess> {
    const isReattached = this.#isReattached(target.package)
    const process = await ProviderProcess.start(target, {
      settings: this.#settings,
      ledger: this.#ledger,
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
      const launch = { package: given, owner, configuration, settings: this.#settings, ledger: this.#ledger, signal }
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

  async #unlessCanceled<T>(promise: Promise<T>, of: ProviderPackage, signal: AbortSignal | undefined): Promise<T> {
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

  // The one that was idle for longest makes room.
  #evict(): boolean {
    const idle = [...this.#pools.values()].filter((pool) => pool.isIdle)
    const oldest = idle.sort((a, b) => a.process!.lastUsed - b.process!.lastUsed)[0]
    if (oldest === undefined) return false
    void oldest.stop('another provider needed its place')
    return true
  }

  #sweep(): void {
    for (const [key, pool] of this.#pools) if (pool.isForgettable) this.#pools.delete(key)
  }

  async #drained(drain: number): Promise<void> {
    const { clock } = this.#settings
    const until = clock.monotonic() + drain
    const isBusy = () => [...this.#pools.values()].some(({ process }) => process !== undefined && process.users > 0)
    while (clock.monotonic() < until && isBusy()) await clock.sleep(Math.min(50, drain))
  }
}

// The same target comes with every call.
const keys = new WeakMap<ProviderTarget, string>()

function keyOf(target: ProviderTarget): string {
  let key = keys.get(target)
  if (key === undefined) {
    key = JSON.stringify([target.owner, target.package.source, target.package.hash, target.configuration.key])
    keys.set(target, key)
  }
  return key
}
