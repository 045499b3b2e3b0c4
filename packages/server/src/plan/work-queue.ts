/**
 * Does work that may find more work, so many at a time, until there is nothing left. After a failure nothing new is begun;
 * it is thrown once what was under way has ended.
 */
export async function drain<T>(
  first: AsyncIterable<T>,
  work: (item: T, add: (item: T) => void) => Promise<void>,
  atOnce: number,
): Promise<void> {
  const queue = new Queue(first[Symbol.asyncIterator]())
  const worker = async () => {
    for (;;) {
      const item = await queue.take()
      if (item === undefined) return
      try {
        await work(item.value, (more) => queue.add(more))
      } catch (error) {
        queue.fail(error)
      }
      queue.done()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  queue.rethrow()
}

class Queue<T> {
  readonly #source: AsyncIterator<T>
  readonly #found: T[] = []
  readonly #waiting: (() => void)[] = []
  #asking = false
  #sourceEnded = false
  #running = 0
  #failure: { readonly error: unknown } | undefined

  constructor(source: AsyncIterator<T>) {
    this.#source = source
  }

  add(item: T): void {
    this.#found.push(item)
    this.#waiting.pop()?.()
  }

  /** The next piece of work; undefined when there will be none. */
  async take(): Promise<{ readonly value: T } | undefined> {
    for (;;) {
      if (this.#failure !== undefined) return undefined
      if (this.#found.length > 0) {
        // Whoever was woken to ask did not: another one does.
        if (!this.#asking && !this.#sourceEnded) this.#wakeNext()
        return this.#begin(this.#found.pop() as T)
      }
      if (!this.#sourceEnded && !this.#asking) {
        const next = await this.#ask()
        if (next !== undefined && !next.done) return this.#begin(next.value)
      } else if (this.#sourceEnded && this.#running === 0) {
        this.#wakeAll()
        return undefined
      } else await new Promise<void>((wake) => this.#waiting.push(wake))
    }
  }

  done(): void {
    this.#running--
    if (this.#running === 0 || this.#failure !== undefined) this.#wakeAll()
  }

  fail(error: unknown): void {
    this.#failure ??= { error }
  }

  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #begin(value: T): { readonly value: T } {
    this.#running++
    return { value }
  }

  async #ask(): Promise<IteratorResult<T> | undefined> {
    this.#asking = true
    try {
      const next = await this.#source.next()
      if (next.done) this.#sourceEnded = true
      return next
    } catch (error) {
      this.#sourceEnded = true
      this.fail(error)
      return undefined
    } finally {
      this.#asking = false
      this.#wakeNext()
    }
  }

  // One is enough to ask for the next; when there is none, all must see that.
  #wakeNext(): void {
    if (this.#sourceEnded) this.#wakeAll()
    else this.#waiting.pop()?.()
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
