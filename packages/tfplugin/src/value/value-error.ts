import { type Path, type PathStep, pathToText } from './path.ts'

/** A value that does not match its type, malformed bytes, or an impossible conversion, with the path. */
export class ValueError extends Error {
  readonly path: Path
  /** The error message without the path. */
  readonly problem: string

  constructor(problem: string, path: Path, options?: ErrorOptions) {
    super(path.length === 0 ? problem : `${pathToText(path)}: ${problem}`, options)
    this.name = 'ValueError'
    this.problem = problem
    this.path = path
  }
}

/** Prepends a step to the error's path while it propagates outwards. Other errors are returned unchanged. */
export function errorWithin(error: unknown, step: PathStep): unknown {
  if (!(error instanceof ValueError)) return error
  return new ValueError(error.problem, [step, ...error.path], { cause: error.cause })
}
