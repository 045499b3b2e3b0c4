import { abortReason } from './abort.ts'

/** The source of time. Code that waits or writes timestamps takes a Clock as a parameter, so that tests control time. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970, for timestamps. It can jump when the system clock is adjusted. */
  now(): number
  /** Milliseconds since an arbitrary moment, never decreasing, for measuring durations. */
  monotonic(): number
  /** Resolves after the delay; rejects with the signal's reason when the signal aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** The clock of this machine, with real timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortReason(signal))
      const stop = () => {
        clearTimeout(timer)
        reject(abortReason(signal!))
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/** A clock for tests: its time changes only through `advance`. */
export class ManualClock implements Clock {
  #now: number
  #sleepers: { readonly at: number; readonly wake: () => void }[] = []

  constructor(now = 0) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  /** The number of pending sleeps, so that a test can wait until the code under test sleeps. */
  get sleeping(): number {
    return this.#sleepers.length
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortReason(signal))
      const sleeper = { at: this.#now + milliseconds, wake: resolve }
      this.#sleepers.push(sleeper)
      signal?.addEventListener(
        'abort',
        () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
          reject(abortReason(signal))
        },
        { once: true },
      )
    })
  }

  /** Moves the time forward and resolves the sleeps that are due, the earliest deadline first. */
  advance(milliseconds: number): void {
    this.#now += milliseconds
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now).sort((a, b) => a.at - b.at)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now)
    for (const sleeper of due) sleeper.wake()
  }
}
