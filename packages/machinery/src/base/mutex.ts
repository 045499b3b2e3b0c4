/** Runs asynchronous tasks one at a time, in the order of the calls to `run`. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs the task after all earlier ones have finished; a task that fails does not prevent the next one. */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    const result = this.#last.then(task, task)
    this.#last = result.catch(() => {})
    return result
  }
}
