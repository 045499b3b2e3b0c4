import { Decimal } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../cel/values.ts'

/**
 * A provider's number as expressions compute with it: an int when it is a whole number of 64 bits, else the double that
 * stands for it. Nothing is rounded: what neither of them holds can be passed on and compared, but not computed with.
 */
export function languageNumber(value: Decimal): bigint | number {
  const whole = value.toBigInt()
  if (whole !== undefined && BigInt.asIntN(64, whole) === whole) return whole
  const double = value.toNumber()
  if (whole === undefined && Decimal.fromNumber(double)?.equals(value) === true) return double
  throw new EvaluationFailure(`the number ${shown(value)} can't be computed with, since it would be rounded`)
}

/** Whether something is a number of any of the forms. */
export function isNumber(value: unknown): value is Decimal | bigint | number {
  return value instanceof Decimal || typeof value === 'bigint' || typeof value === 'number'
}

/** A number in the form of providers. Throws EvaluationFailure for what is not finite. */
export function decimalOf(value: Decimal | bigint | number): Decimal {
  if (value instanceof Decimal) return value
  if (typeof value === 'bigint') return Decimal.fromInteger(value)
  const decimal = Decimal.fromNumber(value)
  if (decimal === undefined) throw new EvaluationFailure(`the result ${value} is not a number`)
  return decimal
}

/** Below, at or above 0 as the first is less, equal or greater; NaN when one of them is none. Exact for all forms. */
export function compareNumbers(a: Decimal | bigint | number, b: Decimal | bigint | number): number {
  if (a instanceof Decimal || b instanceof Decimal) return compareDecimals(a, b)
  return a < b ? -1 : a > b ? 1 : a >= b ? 0 : Number.NaN
}

function compareDecimals(a: Decimal | bigint | number, b: Decimal | bigint | number): number {
  if (typeof a === 'number' && !Number.isFinite(a)) return a
  if (typeof b === 'number' && !Number.isFinite(b)) return -b
  return decimalOf(a).compare(decimalOf(b))
}

function shown(value: Decimal): string {
  const text = value.toString()
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
