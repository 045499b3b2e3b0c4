/**
 * Measures how long the event loop was blocked: the longest processor time of this thread between two turns. Processor
 * time is used because other processes on the machine must not count.
 */
export class LoopProbe {
  #longest = 0
  #last = 0
  #running = true

  constructor() {
    this.#last = used()
    setImmediate(this.#turn)
  }

  /** Returns the longest block since the last call, in milliseconds. */
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
