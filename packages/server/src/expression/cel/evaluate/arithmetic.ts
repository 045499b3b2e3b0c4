import { compareUtf8 } from '@hykube/machinery/base'
import { compareBytes, compareNumbers, isNumeric } from './equality.ts'
import { checkedDuration, checkedTimestamp } from './time.ts'
import { Duration, EvaluationFailure, noSuchOverload, Timestamp, Uint } from './values.ts'

/** `a + b` for numbers, strings, bytes, lists and times. Integers are checked for 64-bit overflow, as in cel-go. */
export function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a + b)
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (a instanceof Uint && b instanceof Uint) return uint(a.value + b.value)
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])]
  if (a instanceof Uint8Array && b instanceof Uint8Array) return joined(a, b)
  if (a instanceof Duration && b instanceof Duration) return checkedDuration(a.nanos + b.nanos)
  if (a instanceof Timestamp && b instanceof Duration) return checkedTimestamp(a.nanos + b.nanos)
  if (a instanceof Duration && b instanceof Timestamp) return checkedTimestamp(a.nanos + b.nanos)
  throw noSuchOverload()
}

/** `a - b` for numbers and times. */
export function subtract(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a - b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (a instanceof Uint && b instanceof Uint) return uint(a.value - b.value)
  if (a instanceof Duration && b instanceof Duration) return checkedDuration(a.nanos - b.nanos)
  if (a instanceof Timestamp && b instanceof Duration) return checkedTimestamp(a.nanos - b.nanos)
  if (a instanceof Timestamp && b instanceof Timestamp) return checkedDuration(a.nanos - b.nanos)
  throw noSuchOverload()
}

/** `a * b` */
export function multiply(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a * b)
  if (typeof a === 'number' && typeof b === 'number') return a * b
  if (a instanceof Uint && b instanceof Uint) return uint(a.value * b.value)
  throw noSuchOverload()
}

/** `a / b` */
export function divide(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a / b
  return integers(a, b, 'division by zero', (first, second) => first / second)
}

/** `a % b` */
export function modulo(a: unknown, b: unknown): unknown {
  return integers(a, b, 'modulus by zero', (first, second) => first % second)
}

/** `-a` */
export function negate(a: unknown): unknown {
  if (typeof a === 'bigint') return int(-a)
  if (typeof a === 'number') return -a
  throw noSuchOverload()
}

/** Compares two values: negative, 0 or positive; NaN if one of them is the double NaN. */
export function compare(a: unknown, b: unknown): number {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  if ((a instanceof Timestamp && b instanceof Timestamp) || (a instanceof Duration && b instanceof Duration)) {
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0
  }
  throw noSuchOverload()
}

/** Checks that an integer fits in 64 signed bits. */
export function int(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value
  throw new EvaluationFailure('integer overflow')
}

/** Checks that an integer fits in 64 unsigned bits. */
export function uint(value: bigint): Uint {
  if (BigInt.asUintN(64, value) === value) return new Uint(value)
  throw new EvaluationFailure('unsigned integer overflow')
}

// bigint division truncates toward zero, as Go's does.
function integers(a: unknown, b: unknown, byZero: string, compute: (a: bigint, b: bigint) => bigint): unknown {
  const isUint = a instanceof Uint && b instanceof Uint
  if (!isUint && !(typeof a === 'bigint' && typeof b === 'bigint')) throw noSuchOverload()
  const [first, second] = isUint ? [a.value, b.value] : [a as bigint, b as bigint]
  if (second === 0n) throw new EvaluationFailure(byZero)
  const result = compute(first, second)
  return isUint ? uint(result) : int(result)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
