import { regexpOf } from '../../library/regex.ts'
import { durationFromText, timestampFromText } from '../evaluate/time.ts'
import { EvaluationFailure } from '../evaluate/values.ts'
import { type Call, type Expr, partsOf, type SyntaxProblem } from '../syntax/syntax.ts'
import type { CheckedExpression } from './check.ts'
import { isOptionalType, sameType, type Type, typeToText } from './types.ts'

/** Errors in literal durations, timestamps and regular expressions, which are found at compile time. */
export function literalProblems(expr: Expr): SyntaxProblem[] {
  const own = expr.kind === 'call' ? wrongLiteral(expr) : undefined
  return [
    ...(own === undefined ? [] : [{ at: own.at, message: `invalid ${(expr as Call).name} argument` }]),
    ...partsOf(expr).flatMap(literalProblems),
  ]
}

/** List and map literals with values of several types, which Kubernetes refuses, except in the arguments of `format`. */
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
