/** The clients of all in-flight requests of a server, so that stopping can treat each as disconnected. */
export class ClientDisconnects {
  readonly #open = new Set<ClientDisconnect>()
  #stopping = false

  /** Registers a new request. */
  begin(): ClientDisconnect {
    const client = new ClientDisconnect(() => this.#open.delete(client))
    if (this.#stopping) client.disconnect()
    else this.#open.add(client)
    return client
  }

  /** Disconnects all requests, and those that begin later. */
  stop(): void {
    this.#stopping = true
    for (const client of [...this.#open]) client.disconnect()
  }
}

/**
 * Signals that the client of a request disconnected. The AbortSignal is created on first use: most requests end before
 * any code needs it, and creating and aborting one costs a fifth of a small read.
 */
export class ClientDisconnect {
  readonly #forget: (() => void) | undefined
  #controller: AbortController | undefined
  #isDisconnected = false

  /** `forget` is called once, before the signal aborts. */
  constructor(forget?: () => void) {
    this.#forget = forget
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isDisconnected) this.#controller.abort(reason)
    }
    return this.#controller.signal
  }

  get isDisconnected(): boolean {
    return this.#isDisconnected
  }

  /** Call it when the client disconnects, or when the request is complete. */
  disconnect(): void {
    if (this.#isDisconnected) return
    this.#isDisconnected = true
    this.#forget?.()
    this.#controller?.abort(reason)
  }
}

const reason = Object.assign(new Error('the client disconnected'), { name: 'AbortError' })
