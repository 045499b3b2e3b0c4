/** The error that an aborted signal stands for. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new DOMException('The operation was aborted', 'AbortError')
}

/** Whether an error only says that somebody asked to stop. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** Calls back when the signal aborts, at once if it has; the function returned takes the call back. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    callback()
    return () => {}
  }
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

/** Waits for a promise, but no longer than the signal allows. The work behind the promise goes on unseen. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(abortReason(signal)))
    promise.then(resolve, reject).finally(release)
  })
}
