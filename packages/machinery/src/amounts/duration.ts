/** A text that is not a duration. The message is that of Go's time.ParseDuration. */
export class DurationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DurationError'
  }
}

/** Parses a Go duration (`1h30m`, `1.5s`, `300ms`, `-2m`, `0`) into nanoseconds. */
export function durationFromText(text: string): bigint {
  const quoted = JSON.stringify(text)
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return 0n
  if (unsigned === '') throw new DurationError(`time: invalid duration ${quoted}`)
  let total = 0n
  let rest = unsigned
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?([^\d.]*)/.exec(rest)
    const [part = '', whole = '', fraction = '', unit = ''] = match ?? []
    if (part === '' || (whole === '' && fraction === '')) throw new DurationError(`time: invalid duration ${quoted}`)
    if (unit === '') throw new DurationError(`time: missing unit in duration ${quoted}`)
    const size = units.get(unit)
    if (size === undefined) throw new DurationError(`time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`)
    total += BigInt(whole || '0') * size + (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length)
    if (total > largest) throw new DurationError(`time: invalid duration ${quoted}`)
    rest = rest.slice(part.length)
  }
  return text.startsWith('-') ? -total : total
}

const second = 1_000_000_000n
const minute = 60n * second
const hour = 60n * minute
// Go's Duration is an int64 of nanoseconds.
const largest = 2n ** 63n - 1n
const units = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', minute],
  ['h', hour],
])
