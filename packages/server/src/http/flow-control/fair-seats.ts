import { abortReason } from '@hykube/machinery/base'
import { tooManyRequests } from '@hykube/machinery/status'
import { Appetites } from './appetites.ts'
import { type FlowUser, isExempt } from './flow-user.ts'
import { LoopTurn } from './loop-turn.ts'

export interface FairSeatsOptions {
  /** How many requests are worked on at once. Default 128. */
  readonly seats?: number
  /** How many of them are kept for users who hold none. Default: a quarter. */
  readonly reservedSeats?: number
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
 * Who is worked on next. Alone, a user may take every seat but the reserved ones; in company every user gets a few, and
 * freed seats go to the user who has cost the least of those who wait. Reserved seats go to users who hold none. Members
 * of `system:masters` have seats of their own, so that no other load keeps them out. What takes long is done in pieces, and each piece waits for its turn as a request
 * does. Requests and pieces are begun one after the other, and only as many as fit into a short turn of the event loop: so
 * one user's flood is that user's own queue, and whoever comes with little is heard within a turn.
 */
export class FairSeats {
  readonly #seats: number
  readonly #reserved: number
  readonly #seatsInCompany: number
  readonly #waitingPerUser: number
  readonly #maximumWaiting: number
  readonly #turn: LoopTurn
  readonly #appetites = new Appetites(1000)
  readonly #users = new Map<string, UserSeats>()
  /** Members of `system:masters`, apart: another user of the same name gets nothing of theirs. */
  readonly #exemptUsers = new Map<string, UserSeats>()
  readonly #shared: Load = { taken: 0, waiting: 0 }
  readonly #exempt: Load = { taken: 0, waiting: 0 }
  #measured: { readonly seats: UserSeats; readonly since: number } | undefined

  constructor(options: FairSeatsOptions = {}) {
    this.#seats = options.seats ?? 128
    this.#reserved = options.reservedSeats ?? Math.floor(this.#seats / 4)
    this.#seatsInCompany = options.seatsInCompany ?? 16
    this.#waitingPerUser = options.waitingPerUser ?? 1000
    this.#maximumWaiting = options.waiting ?? 10_000
    this.#turn = options.turn ?? new LoopTurn()
  }

  /** Seats taken, and requests that wait for one. */
  get load(): Readonly<Load> {
    const { taken, waiting } = this.#exempt
    return { taken: this.#shared.taken + taken, waiting: this.#shared.waiting + waiting }
  }

  /** Works when there is a seat. Rejects with 429 when too many wait already. */
  async run<T>(user: FlowUser, client: Client, work: () => Promise<T>): Promise<T> {
    const seats = this.#of(user)
    const underWay = 1 + seats.taken + seats.queue.length
    if (this.#appetites.isModestInCompany(user.name, underWay, this.#turn.time)) this.#turn.noticeCompany()
    if (this.#mayBegin(seats)) this.#take(seats)
    else await this.#wait(seats)
    try {
      if (client.hasLeft) throw abortReason(client.signal)
      return await work()
    } finally {
      this.#leave(seats)
    }
  }

  /** Resolves when a request that was begun may do another piece of its work. */
  piece(user: FlowUser): Promise<void> {
    const seats = this.#of(user)
    return new Promise((resolve) => {
      seats.pieces.push(resolve)
      this.#turn.request(this.#next)
    })
  }

  #of(user: FlowUser): UserSeats {
    const exempt = isExempt(user)
    const users = exempt ? this.#exemptUsers : this.#users
    let seats = users.get(user.name)
    if (seats === undefined) {
      const load = exempt ? this.#exempt : this.#shared
      seats = { name: user.name, load, taken: 0, spent: 0, queue: [], pieces: [] }
      users.set(user.name, seats)
    }
    return seats
  }

  // Whoever has nothing under way need not wait for a turn that others have used up.
  #mayBegin(seats: UserSeats): boolean {
    if (!this.#hasSeat(seats) || seats.queue.length > 0) return false
    return (this.#turn.isIdle && this.#turn.begin()) || (seats.taken === 0 && seats.pieces.length === 0)
  }

  #hasSeat({ load, taken }: UserSeats): boolean {
    if (load === this.#exempt) return taken < this.#seats
    const free = this.#seats - load.taken
    if (taken === 0) return free > 0
    const isAlone = this.#users.size + this.#exemptUsers.size === 1
    return free > this.#reserved && (isAlone || taken < this.#seatsInCompany)
  }

  #take(seats: UserSeats): void {
    seats.taken++
    seats.load.taken++
  }

  #wait(seats: UserSeats): Promise<void> {
    const { load } = seats
    const isFull = load === this.#shared && load.waiting >= this.#maximumWaiting
    if (isFull || seats.queue.length >= this.#waitingPerUser)
      throw tooManyRequests('too many requests, please try again later', 1)
    return new Promise((resolve) => {
      seats.queue.push(resolve)
      load.waiting++
      this.#turn.request(this.#next)
    })
  }

  #leave(seats: UserSeats): void {
    seats.taken--
    seats.load.taken--
    this.#forgetIdle(seats)
    if (this.#shared.waiting + this.#exempt.waiting > 0) this.#turn.request(this.#next)
  }

  #forgetIdle({ name, load, taken, queue, pieces }: UserSeats): void {
    if (taken > 0 || queue.length > 0 || pieces.length > 0) return
    const users = load === this.#exempt ? this.#exemptUsers : this.#users
    users.delete(name)
  }

  // Begins one thing of the user whose turn it is; false when nothing that waits may begin.
  readonly #next = (): boolean => {
    const now = this.#charge()
    const chosen = this.#cheapest()
    if (chosen === undefined) return false
    this.#measured = { seats: chosen, since: now }
    this.#beginOne(chosen)
    this.#forgetIdle(chosen)
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

  #cheapest(): UserSeats | undefined {
    return this.#cheapestOf(this.#users, this.#cheapestOf(this.#exemptUsers, undefined))
  }

  #cheapestOf(users: ReadonlyMap<string, UserSeats>, chosen: UserSeats | undefined): UserSeats | undefined {
    for (const seats of users.values()) {
      const mayBegin = seats.pieces.length > 0 || (seats.queue.length > 0 && this.#hasSeat(seats))
      if (mayBegin && (chosen === undefined || seats.spent < chosen.spent)) chosen = seats
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
    seats.load.waiting--
    this.#take(seats)
    begin()
  }
}

// What sockets had to say in between is nobody's cost, in milliseconds.
const mostCharged = 10

interface Load {
  taken: number
  waiting: number
}

interface UserSeats {
  readonly name: string
  /** The load that these seats are part of. */
  readonly load: Load
  taken: number
  /** Time that was spent on what waited, in milliseconds, since the user last had nothing under way. */
  spent: number
  /** Requests that wait to be begun. */
  readonly queue: (() => void)[]
  /** Pieces of requests that were begun. */
  readonly pieces: (() => void)[]
}
