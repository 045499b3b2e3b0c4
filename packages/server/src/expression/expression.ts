import { type CheckedExpression, checkExpression } from './cel/check.ts'
import { StepCompiler } from './cel/evaluate.ts'
import { literalProblems, mixtureProblems } from './cel/literals.ts'
import { expandMacros } from './cel/macros.ts'
import { parseExpression } from './cel/parse.ts'
import { type Expr, SyntaxFailure, type SyntaxProblem } from './cel/syntax.ts'
import type { Type } from './cel/types.ts'
import { problemsText } from './failure-text.ts'
import { kubernetesFunctions, typeNames } from './kubernetes-functions.ts'
import type { Meter } from './meter.ts'

/** An expression that can be evaluated. */
export interface Expression {
  /** The type of its result; dyn when that is known only when it is evaluated. */
  readonly type: Type
  /** Its parts with their types. */
  readonly checked: CheckedExpression
  /** Whether it reads a variable. */
  readonly reads: (variable: string) => boolean
  /** Evaluates with values for the variables. Fails with EvaluationFailure, and with CostExceeded when it costs too much. */
  readonly evaluate: (values: Readonly<Record<string, unknown>>, meter: Meter) => unknown
}

/** Why an expression can't be compiled, in the words and with the pointer of cel-go. */
export class CompileFailure extends Error {}

/** How expressions are compiled. */
export interface CompileOptions {
  /** Whether lists and maps that are written out may hold values of several types. Default false, as in Kubernetes. */
  readonly mixedLiterals?: boolean
}

/** Compiles an expression over variables of given types; fails with CompileFailure. */
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
