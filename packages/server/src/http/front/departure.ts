/** Requests under way at a server, so that all of them can be told to end. */
export class Departures {
  readonly #open = new Set<Departure>()
  #stopping = false

  /** A new request, to be told when its client leaves. */
  begin(): Departure {
    const departure = new Departure(() => this.#open.delete(departure))
    if (this.#stopping) departure.leave()
    else this.#open.add(departure)
    return departure
  }

  /** The server stops: everybody leaves. */
  stop(): void {
    this.#stopping = true
    for (const departure of [...this.#open]) departure.leave()
  }
}

/**
 * Whether the client of a request has left. Most requests end before anybody asks, so the signal is made for the first who
 * does: making and aborting one for each costs a fifth of a small read.
 */
export class Departure {
  readonly #forget: (() => void) | undefined
  #controller: AbortController | undefined
  #left = false

  /** `forget` is told once, before the signal aborts. */
  constructor(forget?: () => void) {
    this.#forget = forget
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#left) this.#controller.abort(reason)
    }
    return this.#controller.signal
  }

  get hasLeft(): boolean {
    return this.#left
  }

  /** The client has left, or the request is over. */
  leave(): void {
    if (this.#left) return
    this.#left = true
    this.#forget?.()
    this.#controller?.abort(reason)
  }
}

const reason = Object.assign(new Error('the client has left'), { name: 'AbortError' })
