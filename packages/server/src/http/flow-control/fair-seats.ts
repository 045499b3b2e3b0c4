import { abortReason, onAbort } from '@hykube/machinery/base'
import { tooManyRequests } from '@hykube/machinery/status'

export interface FairSeatsOptions {
  /** How many requests are worked on at once. Default 128. */
  readonly seats?: number
  /** How many of them one user may hold while others want some. Default 16. */
  readonly seatsInCompany?: number
  /** How many requests of one user may wait. More are turned away with 429. Default 1,000. */
  readonly waitingPerUser?: number
  /** How many requests may wait altogether. Default 10,000. */
  readonly waiting?: number
}

/**
 * Who is worked on next. Alone, a user may take every seat; in company everybody gets a few, and freed seats go round among
 * those who wait. So one user's flood is that user's own queue.
 */
export class FairSeats {
  readonly #seats: number
  readonly #seatsInCompany: number
  readonly #waitingPerUser: number
  readonly #maximumWaiting: number
  readonly #users = new Map<string, UserSeats>()
  #taken = 0
  #waiting = 0

  constructor(options: FairSeatsOptions = {}) {
    this.#seats = options.seats ?? 128
    this.#seatsInCompany = options.seatsInCompany ?? 16
    this.#waitingPerUser = options.waitingPerUser ?? 1000
    this.#maximumWaiting = options.waiting ?? 10_000
  }

  /** Seats taken, and requests that wait for one. */
  get load(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#taken, waiting: this.#waiting }
  }

  /** Works when there is a seat. Only who must wait is asked for the signal of its leaving. Rejects with 429 when too many wait already. */
  async run<T>(user: string, client: { readonly signal: AbortSignal }, work: () => Promise<T>): Promise<T> {
    const seats = this.#of(user)
    if (this.#mayTake(seats)) this.#take(seats)
    else await this.#wait(seats, client.signal)
    try {
      return await work()
    } finally {
      this.#leave(user, seats)
    }
  }

  #of(user: string): UserSeats {
    let seats = this.#users.get(user)
    if (seats === undefined) {
      seats = { taken: 0, queue: [] }
      this.#users.set(user, seats)
    }
    return seats
  }

  #mayTake({ taken, queue }: UserSeats): boolean {
    const own = this.#users.size > 1 ? this.#seatsInCompany : this.#seats
    return this.#taken < this.#seats && taken < own && queue.length === 0
  }

  #take(seats: UserSeats): void {
    seats.taken++
    this.#taken++
  }

  #wait(seats: UserSeats, signal: AbortSignal): Promise<void> {
    if (seats.queue.length >= this.#waitingPerUser || this.#waiting >= this.#maximumWaiting)
      throw tooManyRequests('too many requests, please try again later', 1)
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        seat: () => {
          release()
          resolve()
        },
      }
      if (signal.aborted) return reject(abortReason(signal))
      const release = onAbort(signal, () => {
        this.#forget(seats, waiter)
        reject(abortReason(signal))
      })
      seats.queue.push(waiter)
      this.#waiting++
    })
  }

  #forget(seats: UserSeats, waiter: Waiter): void {
    const at = seats.queue.indexOf(waiter)
    if (at < 0) return
    seats.queue.splice(at, 1)
    this.#waiting--
  }

  #leave(user: string, seats: UserSeats): void {
    seats.taken--
    this.#taken--
    if (seats.taken === 0 && seats.queue.length === 0) this.#users.delete(user)
    this.#seatOthers()
  }

  // A Map keeps its order, so taking a user out and putting it back at the end makes them take turns.
  #seatOthers(): void {
    if (this.#waiting === 0) return
    for (const [user, seats] of [...this.#users]) {
      if (this.#taken >= this.#seats) return
      const own = this.#users.size > 1 ? this.#seatsInCompany : this.#seats
      if (seats.queue.length === 0 || seats.taken >= own) continue
      const waiter = seats.queue.shift()!
      this.#waiting--
      this.#take(seats)
      this.#users.delete(user)
      this.#users.set(user, seats)
      waiter.seat()
    }
  }
}

interface UserSeats {
  taken: number
  readonly queue: Waiter[]
}

interface Waiter {
  readonly seat: () => void
}
