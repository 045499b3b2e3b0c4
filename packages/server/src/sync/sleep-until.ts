import type { Clock } from '@hykube/machinery/base'

/** Waits until a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Waits until a point in time; returns at once when it has passed. */
export async function sleepUntil(clock: Clock, time: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (time > clock.now()) await clock.sleep(time - clock.now(), signal)
}
