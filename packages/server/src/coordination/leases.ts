import { type Clock, onAbort, systemClock } from '@hykube/machinery/base'
import type { Condition, Store } from '../storage/index.ts'
import { beatLease, dropLease, fenceCondition, type LeaseRecord, readLease, takeLease } from './lease-record.ts'

export { leaseSpace } from './lease-record.ts'

export interface LeasesOptions {
  /** Opened with {@link leaseSpace}. */
  readonly store: Store
  /** Who asks, for people who look into the store. */
  readonly holder: string
  readonly clock?: Clock
  /** How often a holder says that it is alive, in milliseconds. Default 5000. */
  readonly renewEvery?: number
  /** How long others wait without a word from a holder until they take its place. Default 10,000. */
  readonly expireAfter?: number
  /** How often those who wait look. Default 1000. */
  readonly lookEvery?: number
}

/** The right to do what only one may do. */
export interface Lease {
  readonly name: string
  /**
   * Holds as long as the lease has not passed on to another. A write that carries it can't happen after that, however
   * long its writer was asleep: so it is the one thing that can be relied on.
   */
  readonly fence: Condition
  /** Aborts when the lease is lost, or may be lost since the store could not be reached, and when it was released. */
  readonly lost: AbortSignal
  /** Gives it back, so that another can have it at once. */
  release(): Promise<void>
}

/**
 * Leases kept in a store. No clocks are compared: a holder gives up when it could not say for a while that it is alive, and
 * others take over when they have seen it say nothing for longer than that, each by its own clock.
 */
export class Leases {
  readonly #options: Required<LeasesOptions>

  constructor(options: LeasesOptions) {
    this.#options = {
      clock: systemClock,
      renewEvery: 5000,
      expireAfter: 10_000,
      lookEvery: 1000,
      ...options,
    }
  }

  /** Waits for a lease until it is one's own, or the signal aborts (then it rejects with the signal's reason). */
  async acquire(name: string, signal: AbortSignal): Promise<Lease> {
    const { store, holder, clock, lookEvery } = this.#options
    let seen: LeaseRecord | undefined
    let since = clock.monotonic()
    for (;;) {
      signal.throwIfAborted()
      const began = clock.monotonic()
      const record = await this.#read(name)
      if (record !== undefined && (seen === undefined || !isSame(seen, record))) {
        seen = record
        since = clock.monotonic()
      }
      if (record !== undefined && this.#isFree(record, since)) {
        const taken = await takeLease(store, name, record, holder).catch(() => undefined)
        if (taken !== undefined) return this.#hold(name, taken.fence, began)
        continue
      }
      await clock.sleep(lookEvery, signal)
    }
  }

  // A store that can't be reached says nothing of who has a lease.
  #read(name: string): Promise<LeaseRecord | undefined> {
    return readLease(this.#options.store, name).catch(() => undefined)
  }

  #isFree({ fence }: LeaseRecord, since: number): boolean {
    const { clock, expireAfter } = this.#options
    return fence === undefined || clock.monotonic() - since >= expireAfter
  }

  #hold(name: string, fence: number, began: number): Lease {
    const { store } = this.#options
    const losing = new AbortController()
    const renewing = this.#renew(name, fence, began, losing)
    return {
      name,
      fence: fenceCondition(name, fence),
      lost: losing.signal,
      release: async () => {
        losing.abort()
        await renewing
        await dropLease(store, name, fence).catch(() => {})
      },
    }
  }

  // Alive counts from before a beat was sent: whoever waits sees it later than that.
  async #renew(name: string, fence: number, began: number, losing: AbortController): Promise<void> {
    const { store, holder, clock, renewEvery } = this.#options
    let alive = began
    while (!losing.signal.aborted) {
      const watching = this.#giveUpAt(alive, losing)
      try {
        await clock.sleep(Math.min(renewEvery, Math.max(0, alive + renewEvery - clock.monotonic())), losing.signal)
        const sent = clock.monotonic()
        if (!(await beatLease(store, name, fence, holder))) losing.abort()
        alive = sent
      } catch {
        // Aborted, or the store could not be reached; then it is tried again soon, until the time is up.
        await clock.sleep(this.#options.lookEvery, losing.signal).catch(() => {})
      } finally {
        watching()
      }
    }
  }

  // A holder gives up before anybody else may take over.
  #giveUpAt(alive: number, losing: AbortController): () => void {
    const { clock, expireAfter, lookEvery } = this.#options
    const over = new AbortController()
    const remaining = alive + expireAfter - lookEvery - clock.monotonic()
    clock.sleep(Math.max(0, remaining), over.signal).then(
      () => losing.abort(),
      () => {},
    )
    const release = onAbort(losing.signal, () => over.abort())
    return () => {
      release()
      over.abort()
    }
  }
}

function isSame(a: LeaseRecord, b: LeaseRecord): boolean {
  return a.fence === b.fence && a.beat === b.beat
}
