import type { Revision } from './contract.ts'

/** The value as it is kept: with the decimal digits of its revision inserted where the write asks for them. */
export function stampValue(value: Uint8Array, stamp: number | undefined, revision: Revision): Uint8Array {
  if (stamp === undefined) return value
  const digits = String(revision)
  const stamped = Buffer.allocUnsafeSlow(value.length + digits.length)
  stamped.set(stamp === value.length ? value : value.subarray(0, stamp), 0)
  stamped.write(digits, stamp, 'latin1')
  if (stamp < value.length) stamped.set(value.subarray(stamp), stamp + digits.length)
  return stamped
}
