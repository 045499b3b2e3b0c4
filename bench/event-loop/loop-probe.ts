/**
 * Measures how long the event loop was blocked: the longest processor time of this thread between two turns. Processor
 * time is used because other processes on the machine must not count.
 */
export class LoopProbe {
  #longest = 0
  #total = 0
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

  /** Processor time of this thread since the last call, in milliseconds. */
  takeTotal(): number {
    const total = this.#total
    this.#total = 0
    return total
  }

  stop(): void {
    this.#running = false
  }

  readonly #turn = (): void => {
    const now = used()
    this.#longest = Math.max(this.#longest, now - this.#last)
    this.#total += now - this.#last
    this.#last = now
    if (this.#running) setImmediate(this.#turn)
  }
}

function used(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
