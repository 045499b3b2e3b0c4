/**
 * How long the event loop was held at a time: the most processor time of this thread between two of its turns. Processor time,
 * because others on the machine are not this program's fault.
 */
export class LoopProbe {
  #longest = 0
  #last = 0
  #running = true

  constructor() {
    this.#last = used()
    setImmediate(this.#turn)
  }

  /** The longest so far, in milliseconds; begins anew. */
  take(): number {
    const longest = this.#longest
    this.#longest = 0
    return longest
  }

  stop(): void {
    this.#running = false
  }

  readonly #turn = (): void => {
    const now = used()
    this.#longest = Math.max(this.#longest, now - this.#last)
    this.#last = now
    if (this.#running) setImmediate(this.#turn)
  }
}

function used(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
