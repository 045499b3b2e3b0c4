import { abortReason, type Clock, onAbort, systemClock } from '@hykube/machinery/base'

/** How a queue waits. */
export interface WorkQueueOptions {
  /** Default the system's. */
  readonly clock?: Clock | undefined
  /** The wait before the first retry in milliseconds; it doubles with each. Default 50. */
  readonly initialRetry?: number | undefined
  /** The longest wait before a retry in milliseconds. Default 60,000. */
  readonly maximumRetry?: number | undefined
}

/**
 * Names of things to look at. A name waits in it once however often it is added, and no two workers have the same name
 * at the same time: what is added while it is worked on comes again after it is done.
 */
export class WorkQueue {
  readonly #clock: Clock
  readonly #initialRetry: number
  readonly #maximumRetry: number
  /** In the order in which they will be taken. */
  readonly #waiting = new Set<string>()
  readonly #working = new Set<string>()
  /** Added while they were worked on. */
  readonly #again = new Set<string>()
  readonly #failures = new Map<string, number>()
  /** When a name that was put off is due. The sleeper of an entry that was replaced finds that it is not its own. */
  readonly #later = new Map<string, number>()
  readonly #takers: ((key: string | undefined) => void)[] = []
  readonly #closing = new AbortController()

  constructor({ clock = systemClock, initialRetry = 50, maximumRetry = 60_000 }: WorkQueueOptions = {}) {
    this.#clock = clock
    this.#initialRetry = initialRetry
    this.#maximumRetry = maximumRetry
  }

  /** How many wait to be taken now. */
  get size(): number {
    return this.#waiting.size
  }

  /** Whether nothing waits, is worked on or was put off. */
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

  /** Adds a name after a time, unless it is added before that. */
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

  /** Adds a name after a time that grows with each retry, until it is forgotten. */
  retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    this.addAfter(key, Math.min(this.#maximumRetry, this.#initialRetry * 2 ** Math.min(failures, 30)))
  }

  /** Begins anew with the waits of a name. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  /** The next name, waiting for one; undefined when the queue is closed. Whoever takes a name says when it is done. */
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

  done(key: string): void {
    this.#working.delete(key)
    if (this.#again.delete(key)) this.add(key)
  }

  /** Lets everyone who waits go. What was queued is dropped: whoever starts again looks at everything anyway. */
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
