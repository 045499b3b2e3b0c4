/** Locks by name. Acquiring waits for earlier holders, and returns the function that releases the lock. */
export class KeyedLocks {
  readonly #last = new Map<string, Promise<void>>()

  async acquire(key: string): Promise<() => void> {
    const before = this.#last.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(key, promise)
    await before
    return () => {
      if (this.#last.get(key) === promise) this.#last.delete(key)
      resolve()
    }
  }
}
