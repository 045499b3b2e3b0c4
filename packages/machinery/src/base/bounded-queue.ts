import { abortReason, onAbort } from './abort.ts'

/**
 * A queue between one side that offers and one that takes, holding at most so many values. The offering side never
 * waits: it is told when there is no room, and decides for itself what to do with the value.
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

  /** Adds a value; false when the queue is full or closed, and then nothing was added. */
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

  /** The next value, waiting for one; undefined when the queue is closed and empty. */
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

  /** Nothing more is accepted; what is queued can still be taken. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiting.splice(0)) {
      waiter.release()
      waiter.resolve(undefined)
    }
  }

  /** Takes until the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const value = await this.take()
      if (value === undefined) return
      yield value
    }
  }
}
