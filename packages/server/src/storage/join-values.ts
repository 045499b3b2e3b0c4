/** Joins values with commas. */
export function joinValues(values: readonly Uint8Array[]): Uint8Array {
  let length = Math.max(0, values.length - 1)
  for (const value of values) length += value.length
  const joined = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const [index, value] of values.entries()) {
    if (index > 0) joined[at++] = comma
    joined.set(value, at)
    at += value.length
  }
  return joined
}

const comma = 0x2c
