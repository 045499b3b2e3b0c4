import { Decimal } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'

/**
 * Converts a provider's number for arithmetic: to an int if it is an integer of 64 bits, otherwise to a double. Fails if that
 * would round; such numbers can be passed on and compared, but not computed with.
 */
export function languageNumber(value: Decimal): bigint | number {
  const whole = value.toBigInt()
  if (whole !== undefined && BigInt.asIntN(64, whole) === whole) return whole
  const double = value.toNumber()
  if (whole === undefined && Decimal.fromNumber(double)?.equals(value) === true) return double
  throw new EvaluationFailure(`the number ${shown(value)} can't be used in arithmetic, because it would be rounded`)
}

/** Narrows a value to a number of any representation. */
export function isNumber(value: unknown): value is Decimal | bigint | number {
  return value instanceof Decimal || typeof value === 'bigint' || typeof value === 'number'
}

/** Converts to a provider's number. Throws EvaluationFailure if it is not finite. */
export function decimalOf(value: Decimal | bigint | number): Decimal {
  if (value instanceof Decimal) return value
  if (typeof value === 'bigint') return Decimal.fromInteger(value)
  const decimal = Decimal.fromNumber(value)
  if (decimal === undefined) throw new EvaluationFailure(`the result ${value} is not a number`)
  return decimal
}

/** Compares two numbers exactly: negative, 0 or positive; NaN if one is NaN. */
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
