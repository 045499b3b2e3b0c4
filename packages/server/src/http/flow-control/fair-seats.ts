import { abortReason } from '@hykube/machinery/base'
import { tooManyRequests } from '@hykube/machinery/status'
import { Appetites } from './appetites.ts'
import { LoopTurn } from './loop-turn.ts'

export interface FairSeatsOptions {
  /** How many requests are worked on at once. Default 128. */
  readonly seats?: number
  /** How many of them one user may hold while others want some. Default 16. */
  readonly seatsInCompany?: number
  /** How many requests of one user may wait. More are turned away with 429. Default 1,000. */
  readonly waitingPerUser?: number
  /** How many requests may wait altogether. Default 10,000. */
  readonly waiting?: number
  /** When the event loop is let go, so that what has arrived meanwhile is heard. */
  readonly turn?: LoopTurn
}

/** Whoever sent a request, and may have gone away while it waited. */
export interface Client {
  readonly hasLeft: boolean
  readonly signal: AbortSignal
}

/**
 * Who is worked on next. Alone, a user may take every seat; in company everybody gets a few, and freed seats go to whoever
 * has cost the least of those who wait. What takes long is done in pieces, and each piece waits for its turn as a request
 * does. Requests and pieces are begun one after the other, and only as many as fit into a short turn of the event loop: so
 * one user's flood is that user's own queue, and whoever comes with little is heard within a turn.
 */
export class FairSeats {
  readonly #seats: number
  readonly #seatsInCompany: number
  readonly #waitingPerUser: number
  readonly #maximumWaiting: number
  readonly #turn: LoopTurn
  readonly #appetites = new Appetites(1000)
  readonly #users = new Map<string, UserSeats>()
  #taken = 0
  #waiting = 0
  #measured: { readonly seats: UserSeats; readonly since: number } | undefined

  constructor(options: FairSeatsOptions = {}) {
    this.#seats = options.seats ?? 128
    this.#seatsInCompany = options.seatsInCompany ?? 16
    this.#waitingPerUser = options.waitingPerUser ?? 1000
    this.#maximumWaiting = options.waiting ?? 10_000
    this.#turn = options.turn ?? new LoopTurn()
  }

  /** Seats taken, and requests that wait for one. */
  get load(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#taken, waiting: this.#waiting }
  }

  /** Works when there is a seat. Rejects with 429 when too many wait already. */
  async run<T>(user: string, client: Client, work: () => Promise<T>): Promise<T> {
    const seats = this.#of(user)
    const underWay = 1 + seats.taken + seats.queue.length
    if (this.#appetites.isModestInCompany(user, underWay, this.#turn.time)) this.#turn.noticeCompany()
    if (this.#mayBegin(seats)) this.#take(seats)
    else await this.#wait(seats)
    try {
      if (client.hasLeft) throw abortReason(client.signal)
      return await work()
    } finally {
      this.#leave(user, seats)
    }
  }

  /** Resolves when a request that was begun may do another piece of its work. */
  piece(user: string): Promise<void> {
    const seats = this.#of(user)
    return new Promise((resolve) => {
      seats.pieces.push(resolve)
      this.#turn.request(this.#next)
    })
  }

  #of(user: string): UserSeats {
    let seats = this.#users.get(user)
    if (seats === undefined) {
      seats = { taken: 0, spent: 0, queue: [], pieces: [] }
      this.#users.set(user, seats)
    }
    return seats
  }

  // Whoever has nothing under way need not wait for a turn that others have used up.
  #mayBegin(seats: UserSeats): boolean {
    if (!this.#hasSeat(seats) || seats.queue.length > 0) return false
    return (this.#turn.isIdle && this.#turn.begin()) || (seats.taken === 0 && seats.pieces.length === 0)
  }

  #hasSeat({ taken }: UserSeats): boolean {
    const own = this.#users.size > 1 ? this.#seatsInCompany : this.#seats
    return this.#taken < this.#seats && taken < own
  }

  #take(seats: UserSeats): void {
    seats.taken++
    this.#taken++
  }

  #wait(seats: UserSeats): Promise<void> {
    if (seats.queue.length >= this.#waitingPerUser || this.#waiting >= this.#maximumWaiting)
      throw tooManyRequests('too many requests, please try again later', 1)
    return new Promise((resolve) => {
      seats.queue.push(resolve)
      this.#waiting++
      this.#turn.request(this.#next)
    })
  }

  #leave(user: string, seats: UserSeats): void {
    seats.taken--
    this.#taken--
    this.#forgetIdle(user, seats)
    if (this.#waiting > 0) this.#turn.request(this.#next)
  }

  #forgetIdle(user: string, { taken, queue, pieces }: UserSeats): void {
    if (taken === 0 && queue.length === 0 && pieces.length === 0) this.#users.delete(user)
  }

  // Begins one thing of the user whose turn it is; false when nothing that waits may begin.
  readonly #next = (): boolean => {
    const now = this.#charge()
    const chosen = this.#cheapest()
    if (chosen === undefined) return false
    const [user, seats] = chosen
    this.#measured = { seats, since: now }
    this.#beginOne(seats)
    this.#forgetIdle(user, seats)
    return true
  }

  // What was begun last has come as far as it can: what that took counts against its user.
  #charge(): number {
    const now = this.#turn.time
    const measured = this.#measured
    if (measured !== undefined) measured.seats.spent += Math.min(now - measured.since, mostCharged)
    this.#measured = undefined
    return now
  }

  #cheapest(): readonly [string, UserSeats] | undefined {
    let chosen: readonly [string, UserSeats] | undefined
    for (const each of this.#users) {
      const seats = each[1]
      const mayBegin = seats.pieces.length > 0 || (seats.queue.length > 0 && this.#hasSeat(seats))
      if (mayBegin && (chosen === undefined || seats.spent < chosen[1].spent)) chosen = each
    }
    return chosen
  }

  #beginOne(seats: UserSeats): void {
    const piece = seats.pieces.shift()
    if (piece !== undefined) {
      piece()
      return
    }
    const begin = seats.queue.shift()!
    this.#waiting--
    this.#take(seats)
    begin()
  }
}

// What sockets had to say in between is nobody's cost, in milliseconds.
const mostCharged = 10

interface UserSeats {
  taken: number
  /** Time that was spent on what waited, in milliseconds, since the user last had nothing under way. */
  spent: number
  /** Requests that wait to be begun. */
  readonly queue: (() => void)[]
  /** Pieces of requests that were begun. */
  readonly pieces: (() => void)[]
}
