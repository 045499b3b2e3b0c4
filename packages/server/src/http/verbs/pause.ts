import type { RequestContext } from '../context.ts'

/** Between the steps of a write: lets others have their turn when what is written is large, so that none holds up all. */
export function pause(context: RequestContext, storedBytes = 0): Promise<void> | undefined {
  const sent = Number(context.request.header('content-length')[0] ?? 0)
  return sent > largeBytes || storedBytes > largeBytes ? context.turn() : undefined
}

/** What is smaller is done within a few milliseconds. */
export const largeBytes = 64 * 1024
