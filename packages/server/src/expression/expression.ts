import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import { compileFailureText, evaluationFailureText } from './failure-text.ts'
import { matchesName } from './library/regex.ts'
import { CostExceeded, type Meter } from './meter.ts'
import { withMeter } from './metered-evaluator.ts'
import { prepareSyntax } from './prepare-syntax.ts'

/** An expression that can be evaluated. */
export interface Expression {
  /** The name of the type of its result; `dyn` when that is known only when it is evaluated. */
  readonly type: string
  /** Whether it reads a variable. */
  readonly reads: (variable: string) => boolean
  /** Evaluates with values for the variables. Fails with EvaluationFailure, and with CostExceeded when it costs too much. */
  readonly evaluate: (values: Readonly<Record<string, unknown>>, meter: Meter) => unknown
}

/** Why an expression can't be compiled, in the words and with the pointer of cel-go. */
export class CompileFailure extends Error {}

/** Why an expression has no value, in the words of cel-go. */
export class EvaluationFailure extends Error {}

/** Compiles an expression; fails with CompileFailure. */
export function compileExpression(text: string, environment: Environment): Expression {
  const parsed = parse(text, environment)
  const { valid, type = 'dyn', error } = parsed.check()
  if (!valid) throw compileFailure(error, text, environment)
  const names = identifiersOf(text)
  return {
    type,
    reads: (variable) => names.has(variable),
    evaluate: (values, meter) => evaluate(parsed, values, meter),
  }
}

function parse(text: string, environment: Environment): ParseResult {
  try {
    const parsed = environment.parse(text)
    prepareSyntax(parsed.ast, environment)
    return parsed
  } catch (error) {
    throw compileFailure(error, text, environment)
  }
}

function compileFailure(error: unknown, text: string, environment: Environment): CompileFailure {
  const hasFunction = (name: string) => environment.getDefinitions().functions.some((each) => each.name === name)
  return new CompileFailure(compileFailureText(error, text, hasFunction).replaceAll(matchesName, 'matches'))
}

function evaluate(parsed: ParseResult, values: Readonly<Record<string, unknown>>, meter: Meter): unknown {
  try {
    return withMeter(meter, () => parsed(values) as unknown)
  } catch (error) {
    if (error instanceof CostExceeded) throw error
    throw new EvaluationFailure(evaluationFailureText(error))
  }
}

// Names in the text that are neither in a literal nor behind a dot.
function identifiersOf(text: string): ReadonlySet<string> {
  const bare = text.replace(/"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*/g, ' ')
  return new Set(bare.match(/(?<!\w|\.\s*)[a-zA-Z_]\w*/g) ?? [])
}
