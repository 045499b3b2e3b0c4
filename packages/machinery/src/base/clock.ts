import { abortReason } from './abort.ts'

/** Time as code sees it. Whatever waits or stamps takes a clock, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970, for stamps that people read. */
  now(): number
  /** Milliseconds since some moment, never going back, for durations. */
  monotonic(): number
  /** Resolves after the time has passed; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** The time of this machine. */
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

/** A clock that stands still until a test moves it. */
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

  /** How many are waiting, so that a test can see that the code under test went to sleep. */
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

  /** Lets time pass: whoever's time has come wakes, the earliest first. */
  advance(milliseconds: number): void {
    this.#now += milliseconds
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now).sort((a, b) => a.at - b.at)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now)
    for (const sleeper of due) sleeper.wake()
  }
}
