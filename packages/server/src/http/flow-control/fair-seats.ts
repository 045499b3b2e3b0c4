import { ConnectionScheduler } from '@hykube/http2/connection'
import { abortReason } from '@hykube/machinery/base'
import { tooManyRequests } from '@hykube/machinery/status'
import { type FlowUser, isExempt } from './flow-user.ts'
import { RecentConcurrency } from './recent-concurrency.ts'
import { TurnBudget } from './turn-budget.ts'

export interface FairSeatsOptions {
  /** Requests executed at once. Default 128. */
  readonly seats?: number
  /** Seats kept for users who hold none. Default: a quarter. */
  readonly reservedSeats?: number
  /** Seats that one user may hold while other users have requests. Default 16. */
  readonly seatsPerUser?: number
  /** Queued requests of one user; further ones are rejected with 429. Default 1,000. */
  readonly waitingPerUser?: number
  /** Queued requests of all users. Default 10,000. */
  readonly waiting?: number
  /** In milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/** The client of a request; it may disconnect while the request is queued. */
export interface Client {
  readonly isDisconnected: boolean
  readonly signal: AbortSignal
}

/** Scheduling of one request's work among the requests of other users. */
export interface Turns {
  /** True while light users compete with others: pieces of work should be short. */
  readonly isContended: boolean
  /** Resolves when the request may do its next piece of work. */
  next(): Promise<void>
}

/**
 * Decides which request is executed next. A user alone may take every seat but the reserved ones; beside other users it
 * gets a few, and freed seats go to the waiting user with the least cost so far. Reserved seats go to users who hold
 * none. Members of `system:masters` have separate seats, so that no other load keeps them out. Long work is split into
 * pieces, and each piece is scheduled like a request. Only as many start as fit into a short turn of the event loop, so
 * a flood of requests fills only its user's own queue, and a light user is served within a turn.
 */
export class FairSeats {
  /** Pass it to the connections that the requests arrive on: they read and send less per turn under contention. */
  readonly scheduler: ConnectionScheduler = new ConnectionScheduler()
  readonly #seats: number
  readonly #reserved: number
  readonly #seatsPerUser: number
  readonly #waitingPerUser: number
  readonly #maximumWaiting: number
  readonly #turn: TurnBudget
  readonly #recent = new RecentConcurrency(1000)
  readonly #users = new Map<string, UserSeats>()
  /** Members of `system:masters`, kept apart because another user may have the same name. */
  readonly #exemptUsers = new Map<string, UserSeats>()
  readonly #shared: Load = { taken: 0, waiting: 0 }
  readonly #exempt: Load = { taken: 0, waiting: 0 }
  #measured: { readonly seats: UserSeats; readonly since: number } | undefined

  constructor(options: FairSeatsOptions = {}) {
    this.#seats = options.seats ?? 128
    this.#reserved = options.reservedSeats ?? Math.floor(this.#seats / 4)
    this.#seatsPerUser = options.seatsPerUser ?? 16
    this.#waitingPerUser = options.waitingPerUser ?? 1000
    this.#maximumWaiting = options.waiting ?? 10_000
    this.#turn = new TurnBudget(this.scheduler, options.now)
  }

  /** Seats taken, and requests queued for one. */
  get load(): Readonly<Load> {
    const { taken, waiting } = this.#exempt
    return { taken: this.#shared.taken + taken, waiting: this.#shared.waiting + waiting }
  }

  /** Calls `work` when a seat is free. Rejects with 429 when too many requests are queued. */
  async run<T>(user: FlowUser, client: Client, work: () => Promise<T>): Promise<T> {
    const seats = this.#of(user)
    const inFlight = 1 + seats.taken + seats.queue.length
    if (this.#recent.isLightUserUnderContention(user.name, inFlight, this.#turn.time)) this.#turn.noticeContention()
    if (this.#mayStart(seats)) this.#take(seats)
    else await this.#wait(seats)
    try {
      if (client.isDisconnected) throw abortReason(client.signal)
      return await work()
    } finally {
      this.#release(seats)
    }
  }

  /** Turns for the pieces of a user's started request. */
  turnsOf(user: FlowUser): Turns {
    const turn = this.#turn
    return {
      get isContended() {
        return turn.isContended
      },
      next: () => this.#nextPiece(user),
    }
  }

  #nextPiece(user: FlowUser): Promise<void> {
    const seats = this.#of(user)
    return new Promise((resolve) => {
      seats.pieces.push(resolve)
      this.#turn.request(this.#startNext)
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

  // The first request of a user starts even when others used up this turn.
  #mayStart(seats: UserSeats): boolean {
    if (!this.#hasSeat(seats) || seats.queue.length > 0) return false
    return (this.#turn.isIdle && this.#turn.tryStart()) || (seats.taken === 0 && seats.pieces.length === 0)
  }

  #hasSeat({ load, taken }: UserSeats): boolean {
    if (load === this.#exempt) return taken < this.#seats
    const free = this.#seats - load.taken
    if (taken === 0) return free > 0
    const isOnlyUser = this.#users.size + this.#exemptUsers.size === 1
    return free > this.#reserved && (isOnlyUser || taken < this.#seatsPerUser)
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
      this.#turn.request(this.#startNext)
    })
  }

  #release(seats: UserSeats): void {
    seats.taken--
    seats.load.taken--
    this.#forgetIdle(seats)
    if (this.#shared.waiting + this.#exempt.waiting > 0) this.#turn.request(this.#startNext)
  }

  #forgetIdle({ name, load, taken, queue, pieces }: UserSeats): void {
    if (taken > 0 || queue.length > 0 || pieces.length > 0) return
    const users = load === this.#exempt ? this.#exemptUsers : this.#users
    users.delete(name)
  }

  // Starts one request or piece of the user with the least cost. Returns false when nothing that waits may start.
  readonly #startNext = (): boolean => {
    const now = this.#charge()
    const chosen = this.#cheapest()
    if (chosen === undefined) return false
    this.#measured = { seats: chosen, since: now }
    this.#startOne(chosen)
    this.#forgetIdle(chosen)
    return true
  }

  // Called when the previously started item has run as far as it can: the time since then counts against its user.
  #charge(): number {
    const now = this.#turn.time
    const measured = this.#measured
    if (measured !== undefined) measured.seats.spent += Math.min(now - measured.since, largestCharge)
    this.#measured = undefined
    return now
  }

  #cheapest(): UserSeats | undefined {
    return this.#cheapestOf(this.#users, this.#cheapestOf(this.#exemptUsers, undefined))
  }

  #cheapestOf(users: ReadonlyMap<string, UserSeats>, chosen: UserSeats | undefined): UserSeats | undefined {
    for (const seats of users.values()) {
      const mayStart = seats.pieces.length > 0 || (seats.queue.length > 0 && this.#hasSeat(seats))
      if (mayStart && (chosen === undefined || seats.spent < chosen.spent)) chosen = seats
    }
    return chosen
  }

  #startOne(seats: UserSeats): void {
    const piece = seats.pieces.shift()
    if (piece !== undefined) {
      piece()
      return
    }
    const start = seats.queue.shift()!
    seats.load.waiting--
    this.#take(seats)
    start()
  }
}

// In milliseconds. Socket events may run between start and charge, and they are not the user's cost.
const largestCharge = 10

interface Load {
  taken: number
  waiting: number
}

interface UserSeats {
  readonly name: string
  /** The total that these seats count towards. */
  readonly load: Load
  taken: number
  /** Time spent on the user's queued work, in milliseconds, since the user last had no requests. */
  spent: number
  /** Queued requests. */
  readonly queue: (() => void)[]
  /** Queued pieces of started requests. */
  readonly pieces: (() => void)[]
}
