import { Http2Error } from '../frames/index.ts'

/** Token bucket for frames that cost the peer little and this side much. */
export interface FloodLimits {
  /** Events allowed at once. */
  readonly burst: number
  /** Events allowed per second in the long run. */
  readonly perSecond: number
}

/**
 * Limits cheap, abusable frames: resets right after HEADERS (CVE-2023-44487), PINGs and SETTINGS that demand an answer,
 * empty DATA, violations of single streams. Honest peers send them now and then. Above the limit the connection fails.
 */
export class FloodGuard {
  readonly #limits: FloodLimits | undefined
  readonly #now: () => number
  #left: number
  #counted: number

  /** Without limits every event is allowed. */
  constructor(limits: FloodLimits | undefined, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
    this.#left = limits?.burst ?? 0
    this.#counted = now()
  }

  /** Takes one token; throws ENHANCE_YOUR_CALM when none is left. `what` names the event in the error. */
  count(what: string): void {
    if (this.#limits === undefined) return
    const { burst, perSecond } = this.#limits
    if (this.#left < 1) {
      // The clock is read only when the bucket is empty: most connections never use up the burst.
      const now = this.#now()
      this.#left = Math.min(burst, this.#left + ((now - this.#counted) * perSecond) / 1000)
      this.#counted = now
      if (this.#left < 1) throw new Http2Error('ENHANCE_YOUR_CALM', `too many ${what}`)
    }
    this.#left -= 1
  }
}
