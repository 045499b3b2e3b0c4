import type { Revision } from './contract.ts'

/**
 * The value as it is kept: with the decimal digits of its revision inserted where the write asks for them. With `into`,
 * which must be large enough, the answer lies there and is good until the next call.
 */
export function stampValue(
  value: Uint8Array,
  stamp: number | undefined,
  revision: Revision,
  into?: Buffer,
): Uint8Array {
  if (stamp === undefined) return value
  const digits = String(revision)
  const length = value.length + digits.length
  const stamped = into === undefined ? Buffer.allocUnsafeSlow(length) : into.subarray(0, length)
  stamped.set(value, 0)
  stamped.copyWithin(stamp + digits.length, stamp, value.length)
  stamped.write(digits, stamp, 'latin1')
  return stamped
}

/** The most digits that a revision has. */
export const mostRevisionDigits = 16
