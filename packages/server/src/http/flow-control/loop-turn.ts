import { flushWriters, shareTurns } from '@hykube/tfplugin/http2'

/** How long things are begun in one turn of the event loop, in milliseconds: while somebody who wants little is there too, and otherwise. */
const budgetInCompany = 0.05
const budgetAlone = 4
/** How many things may be begun before it is looked what they cost. */
const unmeasured = 8
/** How long company is remembered, in milliseconds. */
const memory = 1000

/**
 * One turn of the event loop after the other. What is asked for is begun one thing at a time, each when the one before has
 * come as far as it can without waiting for something outside; when that took long enough the rest waits for the next turn,
 * after sockets were heard. Turns are short while somebody who wants little has company, and would wait for them. Otherwise
 * they are longer, because what is written in one turn goes to the disk together.
 */
export class LoopTurn {
  readonly #now: () => number
  #began: number | undefined
  #companyUntil = Number.NEGATIVE_INFINITY
  #begun = 0
  #next: (() => boolean) | undefined
  #ticking = false

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether nothing waits to be begun. */
  get isIdle(): boolean {
    return this.#next === undefined
  }

  /** In milliseconds, for measuring what things cost. */
  get time(): number {
    return this.#now()
  }

  /** Somebody who wants little is not alone. */
  noticeCompany(): void {
    this.#companyUntil = this.#now() + memory
    shareTurns(true)
  }

  /** Counts a thing that begins now, unless this turn has had enough. */
  begin(): boolean {
    this.#open()
    return this.#begun < unmeasured && this.#begun++ >= 0
  }

  /** Asks for `next` to be called, again and again, until it begins nothing more. */
  request(next: () => boolean): void {
    if (this.#next !== undefined) return
    this.#next = next
    this.#open()
    this.#tick()
  }

  #open(): void {
    if (this.#began !== undefined) return
    this.#began = this.#now()
    setImmediate(this.#over)
  }

  // A tick that a promise asks for comes when no promise has anything left to do.
  #tick(): void {
    if (this.#ticking) return
    this.#ticking = true
    queueMicrotask(this.#askForTick)
  }

  readonly #askForTick = (): void => process.nextTick(this.#ticked)

  readonly #ticked = (): void => {
    this.#ticking = false
    this.#begun = 0
    if (this.#isLong()) this.#begun = unmeasured
    else if (this.#next?.() === true) this.#tick()
    else this.#next = undefined
  }

  #isLong(): boolean {
    if (this.#began === undefined) return true
    const now = this.#now()
    const isShared = now < this.#companyUntil
    shareTurns(isShared)
    return now - this.#began > (isShared ? budgetInCompany : budgetAlone)
  }

  readonly #over = (): void => {
    this.#began = undefined
    this.#begun = 0
    if (this.#next === undefined) return
    // What was answered since must not wait for what is begun now.
    flushWriters()
    this.#open()
    this.#tick()
  }
}
