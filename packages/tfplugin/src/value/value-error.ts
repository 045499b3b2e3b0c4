import { type Path, type PathStep, pathToText } from './path.ts'

/** A value that is not of its type, bytes that are no value, or a conversion that can't be made; and where. */
export class ValueError extends Error {
  readonly path: Path
  /** What is wrong, without the place. */
  readonly problem: string

  constructor(problem: string, path: Path, options?: ErrorOptions) {
    super(path.length === 0 ? problem : `${pathToText(path)}: ${problem}`, options)
    this.name = 'ValueError'
    this.problem = problem
    this.path = path
  }
}

/** The same error seen from one step further out; anything but a ValueError is left as it is. */
export function errorWithin(error: unknown, step: PathStep): unknown {
  if (!(error instanceof ValueError)) return error
  return new ValueError(error.problem, [step, ...error.path], { cause: error.cause })
}
