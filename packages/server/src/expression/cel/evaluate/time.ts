import { Duration, EvaluationFailure, Timestamp } from './values.ts'

// Nanoseconds. Timestamps are limited to the years 1 to 9999, as in google.protobuf.Timestamp.
const second = 1_000_000_000n
const earliest = -62_135_596_800n * second
const latest = 253_402_300_799n * second + 999_999_999n

/** Creates a timestamp; fails outside of the years 1 to 9999. */
export function checkedTimestamp(nanos: bigint): Timestamp {
  if (nanos < earliest || nanos > latest) throw new EvaluationFailure('timestamp overflow')
  return new Timestamp(nanos)
}

/** Creates a duration; fails if its nanoseconds don't fit in 64 bits, as in Go. */
export function checkedDuration(nanos: bigint): Duration {
  if (BigInt.asIntN(64, nanos) !== nanos) throw new EvaluationFailure('duration overflow')
  return new Duration(nanos)
}

/** Parses a timestamp in RFC 3339; undefined if it is malformed. */
export function timestampFromText(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, seconds, fraction = '', zone] = match as unknown as string[]
  const milliseconds = utcFrom(Number(year), Number(month), Number(day))
  if (milliseconds === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined
  const offset = zone === 'Z' ? 0 : offsetMinutes(zone!)
  if (offset === undefined) return undefined
  const ofDay = (Number(hour) * 60 + Number(minute) - offset) * 60 + Number(seconds)
  const nanos =
    (BigInt(milliseconds) / 1000n + BigInt(ofDay)) * second + BigInt(fraction.slice(0, 9).padEnd(9, '0') || 0)
  return nanos < earliest || nanos > latest ? undefined : new Timestamp(nanos)
}

/** Formats a timestamp in RFC 3339 without trailing zeros in the fraction. */
export function timestampToText({ nanos }: Timestamp): string {
  const fraction = fractionOf(((nanos % second) + second) % second)
  const date = dateOf(nanos)
  return `${date.toISOString().replace(/^\+00/, '').slice(0, 19)}${fraction}Z`
}

/** Converts to a Date, rounding down to milliseconds. */
export function dateOf(nanos: bigint): Date {
  const floor = nanos / 1_000_000n - (nanos % 1_000_000n < 0n ? 1n : 0n)
  return new Date(Number(floor))
}

/** Parses a duration in Go's syntax: `1h30m`, `-1.5s`, `0`; undefined if it is malformed. */
export function durationFromText(text: string): Duration | undefined {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text)
  if (match === null) return /^[+-]?0$/.test(text) ? new Duration(0n) : undefined
  let nanos = 0n
  for (const [, whole = '', fraction = '', unit] of match[2]!.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const size = units[unit!]!
    nanos += BigInt(whole || 0) * size
    if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length)
  }
  const signed = match[1] === '-' ? -nanos : nanos
  return BigInt.asIntN(64, signed) === signed ? new Duration(signed) : undefined
}

/** Formats a duration in seconds: `5400s`, `-1.5s`. */
export function durationToText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos
  return `${nanos < 0n ? '-' : ''}${size / second}${fractionOf(size % second)}s`
}

/** The local time in a zone, given as a name, as `+02:00`, or undefined for UTC. Read the result with the UTC getters. */
export function clockAt({ nanos }: Timestamp, zone: string | undefined): Date {
  const date = dateOf(nanos)
  if (zone === undefined || zone === 'UTC' || zone === '') return date
  const offset = /^[+-]?\d?\d:\d\d$/.test(zone) ? offsetMinutes(zone) : namedOffset(date, zone)
  if (offset === undefined) throw new EvaluationFailure(`unknown time zone ${zone}`)
  return new Date(date.getTime() + offset * 60_000)
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
}

function fractionOf(nanos: bigint): string {
  return nanos === 0n ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}

function utcFrom(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function offsetMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-]?)(\d?\d):(\d\d)$/.exec(zone)!
  if (Number(hours) > 24 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

function namedOffset(date: Date, zone: string): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(date)
    const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
    const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    return Math.round((shown - date.getTime()) / 60_000)
  } catch {
    return undefined
  }
}
