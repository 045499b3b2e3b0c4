/** Lets one piece of work in at a time, in the order they came. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs the work when all earlier work has ended, well or badly. */
  run<T>(work: () => Promise<T> | T): Promise<T> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => {})
    return result
  }
}
