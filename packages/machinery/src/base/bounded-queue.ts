import { abortReason, onAbort } from './abort.ts'

/**
 * A first-in, first-out queue of at most `capacity` values between producers and consumers. A producer never waits:
 * `offer` returns false when the queue is full, and the producer decides whether to drop the value, disconnect the slow
 * consumer or retry.
 */
export class BoundedQueue<T> {
  readonly #capacity: number
  #values: T[] = []
  #waiting: { readonly resolve: (value: T | undefined) => void; readonly release: () => void }[] = []
  #closed = false

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#values.length
  }

  /** Adds a value, or hands it to the consumer that has waited longest. Returns false when the queue is full or closed. */
  offer(value: T): boolean {
    if (this.#closed) return false
    const waiter = this.#waiting.shift()
    if (waiter !== undefined) {
      waiter.release()
      waiter.resolve(value)
      return true
    }
    if (this.#values.length >= this.#capacity) return false
    this.#values.push(value)
    return true
  }

  /** Removes the next value, waiting for one if needed. Resolves with undefined when the queue is closed and empty. */
  take(signal?: AbortSignal): Promise<T | undefined> {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift())
    if (this.#closed) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortReason(signal))
      const release = onAbort(signal, () => {
        this.#waiting = this.#waiting.filter((other) => other.resolve !== resolve)
        reject(abortReason(signal!))
      })
      this.#waiting.push({ resolve, release })
    })
  }

  /** Rejects further offers. Queued values can still be taken; consumers that wait receive undefined. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiting.splice(0)) {
      waiter.release()
      waiter.resolve(undefined)
    }
  }

  /** Yields values until the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const value = await this.take()
      if (value === undefined) return
      yield value
    }
  }
}
