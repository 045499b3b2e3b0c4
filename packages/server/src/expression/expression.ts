import { type CheckedExpression, checkExpression } from './cel/check/check.ts'
import { literalProblems, mixtureProblems } from './cel/check/literals.ts'
import type { Type } from './cel/check/types.ts'
import { StepCompiler } from './cel/evaluate/evaluate.ts'
import { expandMacros } from './cel/syntax/macros.ts'
import { parseExpression } from './cel/syntax/parse.ts'
import { type Expr, SyntaxFailure, type SyntaxProblem } from './cel/syntax/syntax.ts'
import { problemsText } from './failure-text.ts'
import { kubernetesFunctions, typeNames } from './kubernetes-functions.ts'
import type { Meter } from './meter.ts'

/** A compiled CEL expression. */
export interface Expression {
  /** The type of its result; dyn if it is known only at run time. */
  readonly type: Type
  /** The syntax tree with types. */
  readonly checked: CheckedExpression
  /** Returns whether it refers to a variable. */
  readonly reads: (variable: string) => boolean
  /** Evaluates with values of the variables. Fails with EvaluationFailure, or with CostExceeded above the cost limit. */
  readonly evaluate: (values: Readonly<Record<string, unknown>>, meter: Meter) => unknown
}

/** The errors of an expression that can't be compiled, with the texts and position markers of cel-go. */
export class CompileFailure extends Error {}

export interface CompileOptions {
  /** Allows list and map literals with values of several types. Default false, as in Kubernetes. */
  readonly mixedLiterals?: boolean
}

/** Compiles an expression over variables of the given types. Fails with CompileFailure. */
export function compileExpression(
  text: string,
  variables: Readonly<Record<string, Type>>,
  { mixedLiterals = false }: CompileOptions = {},
): Expression {
  const expr = parse(text)
  const names = new Map([...typeNames, ...Object.entries(variables)])
  const { checked, problems } = checkExpression(expr, { functions: kubernetesFunctions(), names })
  refuse(text, problems)
  refuse(text, [...literalProblems(expr), ...(mixedLiterals ? [] : mixtureProblems(checked))])
  const step = new StepCompiler(checked).compile(expr, new Map())
  return {
    type: checked.typeOf(expr),
    checked,
    reads: (variable) => checked.names.has(variable),
    evaluate: (values, meter) => {
      meter.begin()
      return step({ values, locals: [], meter })
    },
  }
}

function parse(text: string): Expr {
  try {
    return expandMacros(parseExpression(text))
  } catch (error) {
    if (error instanceof SyntaxFailure) refuse(text, error.problems)
    throw error
  }
}

function refuse(text: string, problems: readonly SyntaxProblem[]): void {
  if (problems.length > 0) throw new CompileFailure(problemsText(text, problems))
}
