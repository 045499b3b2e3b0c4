/** Users with at most this many concurrent requests are light users. */
const lightConcurrency = 8

/** Remembers the highest concurrency of each user over the last one to two periods, to tell light users from heavy ones. */
export class RecentConcurrency {
  readonly #period: number
  #current = new Map<string, number>()
  #previous = new Map<string, number>()
  #ends = Number.NEGATIVE_INFINITY

  /** `period` in milliseconds. */
  constructor(period: number) {
    this.#period = period
  }

  /**
   * Records the number of requests that a user has in flight at `now`, in milliseconds. Returns true when the user had
   * only few in flight recently and other users were active too: then its requests could wait behind theirs.
   */
  isLightUserUnderContention(user: string, inFlight: number, now: number): boolean {
    if (now >= this.#ends) this.#beginPeriod(now)
    const most = Math.max(inFlight, this.#current.get(user) ?? 0)
    this.#current.set(user, most)
    return most <= lightConcurrency && (this.#previous.get(user) ?? 0) <= lightConcurrency && this.#hasOthers(user)
  }

  #beginPeriod(now: number): void {
    this.#previous = now < this.#ends + this.#period ? this.#current : new Map()
    this.#current = new Map()
    this.#ends = now + this.#period
  }

  #hasOthers(user: string): boolean {
    return this.#current.size > 1 || this.#previous.size > (this.#previous.has(user) ? 1 : 0)
  }
}
