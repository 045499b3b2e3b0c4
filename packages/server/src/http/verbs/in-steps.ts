import type { Steps } from '@hykube/machinery/base'
import type { RequestContext } from '../context.ts'
import { pause } from './pause.ts'

/** Runs long work for a request step by step; with a large object other requests get a turn between the steps. */
export async function inSteps<Result>(
  context: RequestContext,
  steps: Steps<Result>,
  storedBytes?: number,
): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const paused = pause(context, storedBytes)
    if (paused !== undefined) await paused
  }
}
