import type { Revision } from './contract.ts'

/**
 * Inserts the decimal digits of the revision into a value where the write asks for it. With `into`, which must be large
 * enough, the result is in that buffer and valid until the next call.
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

/** Maximum number of digits of a revision. */
export const maxRevisionDigits = 16
