/** How many requests under way are little. */
const few = 8

/** How much users have wanted at once of late: somebody who wants little waits for those who want much, and feels it. */
export class Appetites {
  readonly #period: number
  #present = new Map<string, number>()
  #past = new Map<string, number>()
  #ends = Number.NEGATIVE_INFINITY

  /** Remembers for one period at least, and two at most; in milliseconds. */
  constructor(period: number) {
    this.#period = period
  }

  /** Notes how many requests a user has under way now. Says whether that is never much, and others want something too. */
  isModestInCompany(user: string, underWay: number, now: number): boolean {
    if (now >= this.#ends) this.#beginPeriod(now)
    const most = Math.max(underWay, this.#present.get(user) ?? 0)
    this.#present.set(user, most)
    return most <= few && (this.#past.get(user) ?? 0) <= few && this.#hasOthers(user)
  }

  #beginPeriod(now: number): void {
    this.#past = now < this.#ends + this.#period ? this.#present : new Map()
    this.#present = new Map()
    this.#ends = now + this.#period
  }

  #hasOthers(user: string): boolean {
    return this.#present.size > 1 || this.#past.size > (this.#past.has(user) ? 1 : 0)
  }
}
