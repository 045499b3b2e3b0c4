import { abortable, onAbort } from '@hykube/machinery/base'

/** Shares one run of work between concurrent callers with the same key. The run is aborted when all callers have aborted. */
export class SharedWork<T, P> {
  readonly #running = new Map<string, Running<T, P>>()

  run(
    key: string,
    work: (signal: AbortSignal, progress: (progress: P) => void) => Promise<T>,
    options: { readonly signal?: AbortSignal | undefined; readonly progress?: ((progress: P) => void) | undefined },
  ): Promise<T> {
    const running = this.#running.get(key) ?? this.#start(key, work)
    const { signal, progress } = options
    running.waiting++
    if (progress !== undefined) running.listeners.add(progress)
    let left = false
    const leave = () => {
      if (left) return
      left = true
      if (progress !== undefined) running.listeners.delete(progress)
      if (--running.waiting > 0) return
      // Removed before the abort, so that a new caller starts a new run instead of joining the aborted one.
      if (this.#running.get(key) === running) this.#running.delete(key)
      running.controller.abort(signal?.reason)
    }
    const release = onAbort(signal, leave)
    return abortable(running.result, signal).finally(() => {
      release()
      leave()
    })
  }

  #start(key: string, work: (signal: AbortSignal, progress: (progress: P) => void) => Promise<T>): Running<T, P> {
    const controller = new AbortController()
    const listeners = new Set<(progress: P) => void>()
    const report = (progress: P) => {
      for (const listener of listeners) listener(progress)
    }
    // Started in a microtask, after the first caller has registered its progress listener.
    const result = Promise.resolve().then(() => work(controller.signal, report))
    const running = { controller, listeners, result, waiting: 0 }
    this.#running.set(key, running)
    const forget = () => {
      if (this.#running.get(key) === running) this.#running.delete(key)
    }
    result.then(forget, forget)
    return running
  }
}

interface Running<T, P> {
  readonly controller: AbortController
  readonly listeners: Set<(progress: P) => void>
  readonly result: Promise<T>
  waiting: number
}
