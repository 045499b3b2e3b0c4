/** A problem of one field. */
export interface FieldProblem {
  /** Such as `.spec.containers[name="a"].image`; empty for the whole value. */
  readonly path: string
  readonly message: string
}

/** A value that does not fit its schema. The message lists all problems with Kubernetes' wording. */
export class TypedError extends Error {
  readonly problems: readonly FieldProblem[]

  constructor(problems: readonly FieldProblem[]) {
    super(describe(problems))
    this.name = 'TypedError'
    this.problems = problems
  }
}

function describe(problems: readonly FieldProblem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return lines.length === 1 ? lines[0]! : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n')
}
