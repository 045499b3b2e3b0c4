/** Returns the signal's reason when it is an Error, and a plain AbortError otherwise. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new DOMException('The operation was aborted', 'AbortError')
}

/** Distinguishes a requested cancellation from a real failure, so that callers do not log or retry it. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/**
 * Calls back when the signal aborts, immediately if it already has. The returned function unregisters the callback; call
 * it when the operation ends, or a long-lived signal keeps the callback alive.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    callback()
    return () => {}
  }
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

/** Waits for a promise until the signal aborts. It stops the wait only: the work behind the promise keeps running. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(abortReason(signal)))
    promise.then(resolve, reject).finally(release)
  })
}
