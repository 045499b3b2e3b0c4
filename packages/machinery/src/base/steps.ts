/**
 * A long computation split into steps, so that it does not block the event loop: the driver may let other work run at
 * each `yield`. Nothing runs before the first `next`.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Runs all steps without a pause, for callers to whom the length does not matter. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
