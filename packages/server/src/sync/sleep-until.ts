import type { Clock } from '@hykube/machinery/base'

/** Waits until a point in time; returns at once when it has passed. */
export async function sleepUntil(clock: Clock, time: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (time > clock.now()) await clock.sleep(time - clock.now(), signal)
}
