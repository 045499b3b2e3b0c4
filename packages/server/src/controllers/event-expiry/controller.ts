import { isAbortError } from '@hykube/machinery/base'
import type { ControllerContext } from '../context.ts'
import { expireEvents } from './reconcile.ts'

/** Deletes old events by repeated scans over all events, one page at a time with pauses. */
export async function runEventExpiryController(
  { clientFor, clock, logger }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  let from: string | undefined
  while (!signal.aborted) {
    try {
      const { next } = await expireEvents({ clientFor, now: clock.now() }, from, signal)
      from = next
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return
      from = undefined
      logger.error('events could not be expired, which is tried again', { error: String(error) })
    }
    await clock.sleep(from === undefined ? pauseBetweenWalks : pauseBetweenPages, signal).catch(() => {})
  }
}

const pauseBetweenPages = 500
const pauseBetweenWalks = 60_000
