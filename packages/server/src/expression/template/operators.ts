import { compareUtf8 } from '@hykube/machinery/json'
import { Decimal, isUnknown, unknown } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../cel/values.ts'
import { describe } from './describe.ts'
import { equals, isIn } from './equality.ts'
import type { BinaryOperator } from './formula.ts'
import { callLibrary } from './library-call.ts'
import { compareNumbers, isNumber, languageNumber } from './numbers.ts'
import { bare, type Run } from './run.ts'

/** The value of an operator between two values. Unknown when one of them is, unless the other decides. */
export function operate(operator: BinaryOperator, first: unknown, second: unknown, run: Run): unknown {
  const a = bare(first)
  const b = bare(second)
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

/** The negative of a number. */
export function negate(given: unknown): unknown {
  const value = bare(given)
  if (isUnknown(value)) return value
  if (value instanceof Decimal) return Decimal.parse(`-${value}`.replace('--', ''))
  if (typeof value === 'bigint') return checkedInt(-value)
  if (typeof value === 'number') return -value
  throw new EvaluationFailure(`there is no negative of ${describe(value)}`)
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

// Comparing with what is no number holds for none of them.
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

function computeNumbers(operator: Arithmetic, first: Decimal | bigint | number, second: Decimal | bigint | number) {
  const a = first instanceof Decimal ? languageNumber(first) : first
  const b = second instanceof Decimal ? languageNumber(second) : second
  if (typeof a === 'bigint' && typeof b === 'bigint') return computeInts(operator, a, b)
  // Providers know one kind of number: whether an attribute is 2 or 2.5 must not decide whether it can be added to 0.5.
  return computeDoubles(operator, doubleOf(a), doubleOf(b))
}

function computeInts(operator: Arithmetic, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '+':
      return checkedInt(a + b)
    case '-':
      return checkedInt(a - b)
    case '*':
      return checkedInt(a * b)
    case '/':
      if (b === 0n) throw new EvaluationFailure('division by zero')
      return checkedInt(a / b)
    case '%':
      if (b === 0n) throw new EvaluationFailure('modulus by zero')
      return a % b
  }
}

function computeDoubles(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      throw new EvaluationFailure('% is for whole numbers')
  }
}

function doubleOf(value: bigint | number): number {
  const double = Number(value)
  if (typeof value === 'bigint' && BigInt(double) !== value)
    throw new EvaluationFailure(`the number ${value} can't be computed with fractions, since it would be rounded`)
  return double
}

function checkedInt(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value
  throw new EvaluationFailure('integer overflow')
}

function isLibraryObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal)
}

function refuse(operator: string, a: unknown, b: unknown): never {
  throw new EvaluationFailure(`${operator} can't be used between ${describe(a)} and ${describe(b)}`)
}
