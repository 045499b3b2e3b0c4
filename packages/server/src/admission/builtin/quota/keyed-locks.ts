/** Locks by name: who acquires one waits for all who came before, and lets go by calling what it was given. */
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
