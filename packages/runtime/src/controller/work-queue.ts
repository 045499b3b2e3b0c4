import { abortReason, type Clock, onAbort, systemClock } from '@hykube/machinery/base'

/** The configuration of a work queue. */
export interface WorkQueueOptions {
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
  /** The delay before the first retry in milliseconds; it doubles with each retry. Default 50. */
  readonly initialRetry?: number | undefined
  /** The longest delay before a retry in milliseconds. Default 60,000. */
  readonly maximumRetry?: number | undefined
}

/**
 * A queue of keys to reconcile, with the semantics of client-go's workqueue. A key is queued at most once, however often it
 * is added, and never processed by two workers at the same time: a key that is added while it is being processed is queued
 * again when it is done.
 */
export class WorkQueue {
  readonly #clock: Clock
  readonly #initialRetry: number
  readonly #maximumRetry: number
  /** The queued keys, first in first out. */
  readonly #waiting = new Set<string>()
  readonly #working = new Set<string>()
  /** Keys added while they were being processed. */
  readonly #again = new Set<string>()
  readonly #failures = new Map<string, number>()
  /** The due times of delayed keys. A timer whose entry was replaced sees another due time, and does nothing. */
  readonly #later = new Map<string, number>()
  readonly #takers: ((key: string | undefined) => void)[] = []
  readonly #closing = new AbortController()

  constructor({ clock = systemClock, initialRetry = 50, maximumRetry = 60_000 }: WorkQueueOptions = {}) {
    this.#clock = clock
    this.#initialRetry = initialRetry
    this.#maximumRetry = maximumRetry
  }

  /** The number of keys that are ready to be taken. */
  get size(): number {
    return this.#waiting.size
  }

  /** True when no key is queued, being processed or delayed. */
  get idle(): boolean {
    return this.#waiting.size + this.#working.size + this.#later.size === 0
  }

  add(key: string): void {
    if (this.#closing.signal.aborted) return
    this.#later.delete(key)
    if (this.#working.has(key)) {
      this.#again.add(key)
      return
    }
    const taker = this.#waiting.has(key) ? undefined : this.#takers.shift()
    if (taker === undefined) this.#waiting.add(key)
    else this.#give(key, taker)
  }

  /** Adds a key after a delay, unless it is added earlier. Of several delays the earliest applies. */
  addAfter(key: string, milliseconds: number): void {
    const due = this.#clock.monotonic() + milliseconds
    if ((this.#later.get(key) ?? Number.POSITIVE_INFINITY) <= due) return
    this.#later.set(key, due)
    this.#clock.sleep(milliseconds, this.#closing.signal).then(
      () => {
        if (this.#later.get(key) === due) this.add(key)
      },
      () => {},
    )
  }

  /** Adds a key after a delay that doubles with each retry, until `forget` resets it. */
  retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    this.addAfter(key, Math.min(this.#maximumRetry, this.#initialRetry * 2 ** Math.min(failures, 30)))
  }

  /** Resets the retry delay of a key; call it after a success. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  /** Takes the next key, waiting for one; undefined when the queue is closed. The caller must call `done` afterwards. */
  take(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#closing.signal.aborted) return Promise.resolve(undefined)
    const [key] = this.#waiting
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortReason(signal))
      if (key !== undefined) {
        this.#waiting.delete(key)
        return this.#give(key, resolve)
      }
      const taker = (given: string | undefined) => {
        release()
        resolve(given)
      }
      const release = onAbort(signal, () => {
        this.#takers.splice(this.#takers.indexOf(taker), 1)
        reject(abortReason(signal!))
      })
      this.#takers.push(taker)
    })
  }

  /** Marks a key as processed; it is queued again if it was added in the meantime. */
  done(key: string): void {
    this.#working.delete(key)
    if (this.#again.delete(key)) this.add(key)
  }

  /** Resolves all waiting workers with undefined. Queued keys are dropped: a restarted controller lists everything anyway. */
  close(): void {
    this.#closing.abort()
    this.#waiting.clear()
    this.#later.clear()
    for (const taker of this.#takers.splice(0)) taker(undefined)
  }

  #give(key: string, taker: (key: string) => void): void {
    this.#working.add(key)
    taker(key)
  }
}
