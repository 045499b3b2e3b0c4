import { type Clock, onAbort, systemClock } from '@hykube/machinery/base'
import type { Condition, Store } from '../storage/index.ts'
import { fenceCondition, type LeaseRecord, readLease, releaseLease, renewLease, takeLease } from './lease-record.ts'

export { leaseSpace } from './lease-record.ts'

export interface LeasesOptions {
  /** Must be opened with {@link leaseSpace}. */
  readonly store: Store
  /** Name of this server, stored for operators. */
  readonly holder: string
  readonly clock?: Clock
  /** Milliseconds between heartbeats. Default 5000. */
  readonly renewEvery?: number
  /** Milliseconds without a heartbeat after which another server may take the lease. Default 10,000. */
  readonly expireAfter?: number
  /** Milliseconds between checks of a waiting server. Default 1000. */
  readonly lookEvery?: number
}

/** Exclusive right to some work, until it is released or lost. */
export interface Lease {
  readonly name: string
  /**
   * Condition for commits: true as long as the lease has not passed on. A commit that carries it can't succeed later,
   * even if the writer was suspended meanwhile. Only this guarantees mutual exclusion; `lost` may fire too late.
   */
  readonly fence: Condition
  /** Aborts when the lease was released, was lost, or may be lost because the store is unreachable. */
  readonly lost: AbortSignal
  /** Releases the lease, so that another server can take it immediately. */
  release(): Promise<void>
}

/**
 * Leases in a store. Clocks of different servers are never compared: a holder gives up when it could not write a
 * heartbeat for a while, and a waiting server takes over when it saw no heartbeat for a longer time, each by its own
 * monotonic clock.
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

  /** Waits until the lease is acquired. Rejects with the signal's reason when it aborts. */
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

  // While the store is unreachable, nothing is known about the holder, so the lease is not free.
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
        await releaseLease(store, name, fence).catch(() => {})
      },
    }
  }

  // The time before the heartbeat was sent counts: waiting servers see the heartbeat later than that.
  async #renew(name: string, fence: number, began: number, losing: AbortController): Promise<void> {
    const { store, holder, clock, renewEvery } = this.#options
    let alive = began
    while (!losing.signal.aborted) {
      const watching = this.#abortAtDeadline(alive, losing)
      try {
        await clock.sleep(Math.min(renewEvery, Math.max(0, alive + renewEvery - clock.monotonic())), losing.signal)
        const sent = clock.monotonic()
        if (!(await renewLease(store, name, fence, holder))) losing.abort()
        alive = sent
      } catch {
        // Aborted, or the store is unreachable: retried soon, until the deadline.
        await clock.sleep(this.#options.lookEvery, losing.signal).catch(() => {})
      } finally {
        watching()
      }
    }
  }

  // The holder gives up one check interval before another server may take over.
  #abortAtDeadline(alive: number, losing: AbortController): () => void {
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
