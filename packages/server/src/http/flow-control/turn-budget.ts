import type { ConnectionScheduler } from '@hykube/http2/connection'

/** Time spent starting work per turn of the event loop, in milliseconds. */
const budgetUnderContention = 0.05
const budgetOtherwise = 4
/** Items that may start before the clock is read. */
const unmeasured = 8
/** Time after its last sign that contention is assumed to have ended, in milliseconds. */
const contentionMemory = 1000

/**
 * Bounds the work started per turn of the event loop. Items start one at a time, each after the previous one ran as far
 * as it can without I/O. When the budget of the turn is used up, the rest waits for the next turn, after sockets were
 * read. The budget is small under contention, because light users then wait for the whole turn. Otherwise it is larger,
 * because writes of one turn share one disk sync.
 */
export class TurnBudget {
  readonly #scheduler: ConnectionScheduler
  readonly #now: () => number
  #turnStart: number | undefined
  #contendedUntil = Number.NEGATIVE_INFINITY
  #started = 0
  #startNext: (() => boolean) | undefined
  #isTickScheduled = false

  /** `scheduler` shares the event loop among the connections that the requests arrive on; `now` is in milliseconds. */
  constructor(scheduler: ConnectionScheduler, now: () => number = () => performance.now()) {
    this.#scheduler = scheduler
    this.#now = now
  }

  /** True when no work waits to be started. */
  get isIdle(): boolean {
    return this.#startNext === undefined
  }

  get isContended(): boolean {
    return this.#scheduler.isContended
  }

  /** In milliseconds, for measuring the cost of work. */
  get time(): number {
    return this.#now()
  }

  /** Records that a light user competes with others now. */
  noticeContention(): void {
    this.#contendedUntil = this.#now() + contentionMemory
    this.#scheduler.isContended = true
  }

  /** Counts an item that starts now. Returns false when the turn's count is used up. */
  tryStart(): boolean {
    this.#beginTurn()
    return this.#started < unmeasured && this.#started++ >= 0
  }

  /** Calls `startNext`, over several turns if necessary, until it returns false. */
  request(startNext: () => boolean): void {
    if (this.#startNext !== undefined) return
    this.#startNext = startNext
    this.#beginTurn()
    this.#scheduleTick()
  }

  #beginTurn(): void {
    if (this.#turnStart !== undefined) return
    this.#turnStart = this.#now()
    setImmediate(this.#endTurn)
  }

  // A tick requested from a microtask runs once the microtask queue is empty: the last item has then run as far as it can.
  #scheduleTick(): void {
    if (this.#isTickScheduled) return
    this.#isTickScheduled = true
    queueMicrotask(this.#requestTick)
  }

  readonly #requestTick = (): void => process.nextTick(this.#tick)

  readonly #tick = (): void => {
    this.#isTickScheduled = false
    this.#started = 0
    if (this.#isSpent()) this.#started = unmeasured
    else if (this.#startNext?.() === true) this.#scheduleTick()
    else this.#startNext = undefined
  }

  #isSpent(): boolean {
    if (this.#turnStart === undefined) return true
    const now = this.#now()
    const isContended = now < this.#contendedUntil
    this.#scheduler.isContended = isContended
    return now - this.#turnStart > (isContended ? budgetUnderContention : budgetOtherwise)
  }

  readonly #endTurn = (): void => {
    this.#turnStart = undefined
    this.#started = 0
    if (this.#startNext === undefined) return
    // Responses of the last turn must not wait for the work of this one.
    this.#scheduler.flush()
    this.#beginTurn()
    this.#scheduleTick()
  }
}
