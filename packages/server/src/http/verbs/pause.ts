import type { RequestContext } from '../context.ts'

/** Awaits a turn between the steps of a write with a large object, so that it does not block the event loop. */
export function pause(context: RequestContext, storedBytes = 0): Promise<void> | undefined {
  // A body without a declared length may be large.
  const sent = Number(context.request.header('content-length')[0] ?? Number.POSITIVE_INFINITY)
  return sent > largeBytes || storedBytes > largeBytes ? context.turns.next() : undefined
}

/** Smaller objects are processed within a few milliseconds. */
export const largeBytes = 64 * 1024
