import type { StatusCause } from '../status/index.ts'

/** A path into a value. Keys of maps are marked, because they are formatted differently. */
export type WalkPath = (string | number | { readonly key: string })[]

/**
 * The position of a walk over a value, and the problems found. The first ones are kept, and the others are only counted: a
 * client chooses how many there are.
 */
export class WalkContext {
  readonly path: WalkPath
  readonly causes: StatusCause[] = []
  /** Problems found, including those that were not kept. */
  problems = 0
  readonly #most: number
  readonly #work: { steps: number }

  constructor(path: WalkPath = [], most = mostCauses, work = { steps: 0 }) {
    this.path = path
    this.#most = most
    this.#work = work
  }

  /** Returns a context for checks on the side, at the same position and with the same limit of steps. It keeps `most` causes. */
  aside(most: number): WalkContext {
    return new WalkContext(this.path, most, this.#work)
  }

  /** True when further causes are not kept. */
  get isFull(): boolean {
    return this.causes.length >= this.#most
  }

  /** Reports a problem. `cause` gets the formatted path; it is called only for problems that are kept. */
  report(cause: (path: string) => StatusCause): void {
    this.problems++
    if (!this.isFull) this.causes.push(cause(pathText(this.path)))
  }

  /** Counts work. Throws when a validation takes too many steps, which alternatives (anyOf) multiply. */
  step(count: number): void {
    this.#work.steps += count
    if (this.#work.steps > mostSteps) throw new TooManySteps()
  }
}

/** Thrown by {@link WalkContext.step}. */
export class TooManySteps extends Error {
  override readonly message = `validation takes more than ${mostSteps} steps: the object is too large for its schema`
}

/** Problems that a validation keeps. A Status shows as many. */
export const mostCauses = 100

// About 100 ms of work. The largest body has 200,000 values, so its schema may try five alternatives for each.
const mostSteps = 1_000_000

/** Formats a path as Kubernetes does: `spec.ports[0].name`, `spec.labels[a/b]`. */
export function pathText(path: WalkPath): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (typeof part === 'object') text += `[${part.key}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}
