import { abortReason, onAbort } from '@hykube/machinery/base'

/** Limits the number of running processes. Callers above the limit wait for a free slot. */
export class ProcessSlots {
  readonly #most: number
  readonly #evict: () => boolean
  #taken = 0
  /** The number of processes that were told to stop and still run. */
  #leaving = 0
  #waiting: (() => void)[] = []

  /** `evict` starts to stop one idle process, and returns whether there was one. */
  constructor(most: number, evict: () => boolean) {
    this.#most = most
    this.#evict = evict
  }

  get taken(): number {
    return this.#taken
  }

  /** Waits for a free slot and takes it. */
  async take(signal: AbortSignal): Promise<void> {
    while (this.#taken >= this.#most) {
      if (this.#leaving <= this.#waiting.length && this.#evict()) this.#leaving++
      await this.#change(signal)
    }
    this.#taken++
  }

  give(): void {
    this.#taken--
    if (this.#leaving > 0) this.#leaving--
    this.changed()
  }

  /** Wakes the waiting callers, because a process has exited or become idle. */
  changed(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, () => {
        this.#waiting = this.#waiting.filter((other) => other !== wake)
        reject(abortReason(signal))
      })
      const wake = () => {
        release()
        resolve()
      }
      if (!signal.aborted) this.#waiting.push(wake)
    })
  }
}
