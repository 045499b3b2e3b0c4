import { regexpOf } from '../library/regex.ts'
import type { CheckedExpression } from './check.ts'
import { type Call, type Expr, partsOf, type SyntaxProblem } from './syntax.ts'
import { durationFromText, timestampFromText } from './time.ts'
import { isOptionalType, sameType, type Type, typeToText } from './types.ts'
import { EvaluationFailure } from './values.ts'

/** What is wrong with durations, times and patterns that are written out in an expression. */
export function literalProblems(expr: Expr): SyntaxProblem[] {
  const own = expr.kind === 'call' ? wrongLiteral(expr) : undefined
  return [
    ...(own === undefined ? [] : [{ at: own.at, message: `invalid ${(expr as Call).name} argument` }]),
    ...partsOf(expr).flatMap(literalProblems),
  ]
}

/** Values of several types in lists and maps that are written out, unless they are what is to be formatted. */
export function mixtureProblems({ expr, typeOf }: CheckedExpression): SyntaxProblem[] {
  const visit = (part: Expr): SyntaxProblem[] => {
    if (part.kind === 'call' && part.name === 'format') return []
    return [...mixturesIn(part, typeOf), ...partsOf(part).flatMap(visit)]
  }
  return visit(expr)
}

function mixturesIn(expr: Expr, typeOf: (part: Expr) => Type): SyntaxProblem[] {
  const valueType = (part: Expr, optional: boolean) => {
    const type = typeOf(part)
    return optional && isOptionalType(type) ? type.parameters[0]! : type
  }
  switch (expr.kind) {
    case 'list':
      return mixtures(expr.elements, (part, at) => valueType(part, expr.optional.has(at))).slice(0, 1)
    case 'map':
      return [
        ...mixtures(
          expr.entries.map(({ key }) => key),
          typeOf,
        ),
        ...mixtures(
          expr.entries.map(({ value }) => value),
          (part, at) => valueType(part, expr.entries[at]!.optional),
        ),
      ]
    default:
      return []
  }
}

function mixtures(parts: readonly Expr[], typeOf: (part: Expr, at: number) => Type): SyntaxProblem[] {
  const types = parts.map(typeOf)
  const [first] = types
  return parts.flatMap((part, at) => {
    if (sameType(types[at]!, first!)) return []
    return [{ at: part.at, message: `expected type '${typeToText(first!)}' but found '${typeToText(types[at]!)}'` }]
  })
}

function wrongLiteral({ name, args, target }: Call): Expr | undefined {
  const literal = args.at(-1)
  if (literal?.kind !== 'literal' || typeof literal.value !== 'string') return undefined
  const { value } = literal
  switch (name) {
    case 'duration':
      return args.length === 1 && durationFromText(value) === undefined ? literal : undefined
    case 'timestamp':
      return args.length === 1 && timestampFromText(value) === undefined ? literal : undefined
    case 'matches':
      return args.length === (target === undefined ? 2 : 1) && !isPattern(value) ? literal : undefined
    default:
      return undefined
  }
}

function isPattern(text: string): boolean {
  try {
    regexpOf(text)
    return true
  } catch (error) {
    if (error instanceof EvaluationFailure) return false
    throw error
  }
}
