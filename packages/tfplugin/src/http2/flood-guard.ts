import { Http2Error } from './http2-error.ts'

/** How many times a peer may do what costs it little and us much. */
export interface FloodLimits {
  /** How often at once. */
  readonly burst: number
  /** How often a second in the long run. */
  readonly perSecond: number
}

/**
 * Counts what honest peers do now and then and attackers do without end: opening streams to give them up, asking for
 * answers that say nothing, breaking rules of single streams. Above the limit the connection ends.
 */
export class FloodGuard {
  readonly #limits: FloodLimits | undefined
  readonly #now: () => number
  #left: number
  #counted: number

  /** Without limits everything is allowed. */
  constructor(limits: FloodLimits | undefined, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
    this.#left = limits?.burst ?? 0
    this.#counted = now()
  }

  /** Counts one; throws ENHANCE_YOUR_CALM when it is one too many. */
  count(what: string): void {
    if (this.#limits === undefined) return
    const { burst, perSecond } = this.#limits
    if (this.#left < 1) {
      const now = this.#now()
      this.#left = Math.min(burst, this.#left + ((now - this.#counted) * perSecond) / 1000)
      this.#counted = now
      if (this.#left < 1) throw new Http2Error('ENHANCE_YOUR_CALM', `too many ${what}`)
    }
    this.#left -= 1
  }
}
