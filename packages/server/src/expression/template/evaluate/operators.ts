import { compareUtf8 } from '@hykube/machinery/base'
import { Decimal, isUnknown, unknown } from '@hykube/tfplugin/value'
import { add, divide, modulo, multiply, negate as negateNumber, subtract } from '../../cel/evaluate/arithmetic.ts'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import type { BinaryOperator } from '../syntax/template-expr.ts'
import { describe } from './describe.ts'
import { equals, isIn } from './equality.ts'
import { callLibrary } from './library-call.ts'
import { compareNumbers, isNumber, languageNumber } from './numbers.ts'
import { type Run, withoutType } from './run.ts'

/** Applies a binary operator. The result is unknown if it depends on an unknown operand. */
export function operate(operator: BinaryOperator, first: unknown, second: unknown, run: Run): unknown {
  const a = withoutType(first)
  const b = withoutType(second)
  switch (operator) {
    case '==':
      return equals(a, b, run)
    case '!=': {
      const same = equals(a, b, run)
      return isUnknown(same) ? same : !same
    }
    case 'in':
      return isIn(a, b, run) ?? refuse(operator, a, b)
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isUnknown(a) || isUnknown(b) ? unknown : compare(operator, a, b, run)
    default:
      return isUnknown(a) || isUnknown(b) ? unknown : compute(operator, a, b, run)
  }
}

/** Applies the unary minus. */
export function negate(given: unknown): unknown {
  const value = withoutType(given)
  if (isUnknown(value)) return value
  if (value instanceof Decimal) return Decimal.parse(`-${value}`.replace('--', ''))
  if (typeof value === 'bigint' || typeof value === 'number') return negateNumber(value)
  throw new EvaluationFailure(`- can't be applied to ${describe(value)}`)
}

type Comparison = '<' | '<=' | '>' | '>='
type Arithmetic = '+' | '-' | '*' | '/' | '%'

function compare(operator: Comparison, a: unknown, b: unknown, run: Run): unknown {
  if (isNumber(a) && isNumber(b)) return holds(operator, compareNumbers(a, b))
  if (typeof a === 'string' && typeof b === 'string') {
    run.spend(Math.min(a.length, b.length) * 0.1)
    return holds(operator, compareUtf8(a, b))
  }
  if (isLibraryObject(a) || typeof a === 'boolean') return callLibrary(operator, [a, b], run)
  return refuse(operator, a, b)
}

// The order NaN makes every comparison false.
function holds(operator: Comparison, order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

function compute(operator: Arithmetic, a: unknown, b: unknown, run: Run): unknown {
  if (isNumber(a) && isNumber(b)) return computeNumbers(operator, a, b)
  if (operator === '+' && typeof a === 'string' && typeof b === 'string') {
    run.spend((a.length + b.length) * 0.1)
    return a + b
  }
  if (operator === '+' && Array.isArray(a) && Array.isArray(b)) {
    run.spend(a.length + b.length)
    return [...(a as unknown[]), ...(b as unknown[])]
  }
  if (isLibraryObject(a) && isLibraryObject(b)) return callLibrary(operator, [a, b], run)
  return refuse(operator, a, b)
}

const arithmetic = { '+': add, '-': subtract, '*': multiply, '/': divide, '%': modulo } as const

function computeNumbers(operator: Arithmetic, first: Decimal | bigint | number, second: Decimal | bigint | number) {
  const a = first instanceof Decimal ? languageNumber(first) : first
  const b = second instanceof Decimal ? languageNumber(second) : second
  if (typeof a === 'bigint' && typeof b === 'bigint') return arithmetic[operator](a, b)
  if (operator === '%') throw new EvaluationFailure('% requires whole numbers')
  // Providers have one number type, so the value of an attribute (2 or 2.5) must not decide whether 0.5 can be added to it.
  return arithmetic[operator](doubleOf(a), doubleOf(b))
}

function doubleOf(value: bigint | number): number {
  const double = Number(value)
  if (typeof value === 'bigint' && BigInt(double) !== value)
    throw new EvaluationFailure(`the number ${value} can't be combined with fractions, because it would be rounded`)
  return double
}

function isLibraryObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal)
}

function refuse(operator: string, a: unknown, b: unknown): never {
  throw new EvaluationFailure(`${operator} can't be used between ${describe(a)} and ${describe(b)}`)
}
