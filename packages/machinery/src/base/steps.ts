/** Long work in steps: at each `yield` others may come between. It is begun by the first `next`. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does all steps, one right after the other. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
