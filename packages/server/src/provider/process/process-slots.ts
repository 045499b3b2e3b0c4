import { abortReason, onAbort } from '@hykube/machinery/base'

/** Bounds how many processes run at one time; whoever comes too late waits for its turn. */
export class ProcessSlots {
  readonly #most: number
  readonly #evict: () => boolean
  #taken = 0
  /** How many were asked to leave and have not left yet. */
  #leaving = 0
  #waiting: (() => void)[] = []

  /** `evict` ends something that nobody uses, and says whether it found anything. */
  constructor(most: number, evict: () => boolean) {
    this.#most = most
    this.#evict = evict
  }

  get taken(): number {
    return this.#taken
  }

  /** Waits for room and takes it. */
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

  /** Something came to an end, or is not used any more. */
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
