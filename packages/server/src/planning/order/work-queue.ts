/**
 * Processes items with bounded concurrency; processing may add further items. After a failure no new item is started, and the error is
 * thrown once all running items have ended.
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

  /** Returns the next item; undefined when there will be none. */
  async take(): Promise<{ readonly value: T } | undefined> {
    for (;;) {
      if (this.#failure !== undefined) return undefined
      if (this.#found.length > 0) {
        // This worker was woken to read from the source but took an added item, so another worker must read.
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

  // One worker is enough to read the next item; at the end all must wake up to blockObject.
  #wakeNext(): void {
    if (this.#sourceEnded) this.#wakeAll()
    else this.#waiting.pop()?.()
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
