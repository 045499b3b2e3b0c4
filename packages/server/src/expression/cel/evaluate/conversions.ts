import type { FunctionTable } from '../check/functions.ts'
import { int, uint } from './arithmetic.ts'
import { checkedTimestamp, durationFromText, durationToText, timestampFromText, timestampToText } from './time.ts'
import { type Duration, EvaluationFailure, type Timestamp, TypeValue, typeOf, type Uint } from './values.ts'

/** Conversions between CEL's standard types, with the accepted texts of Go's strconv. */
export const conversions: FunctionTable = {
  'bool(bool): bool': same,
  'bool(string): bool': (text: string) => {
    if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true
    if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false
    return unconvertible('bool')
  },
  'bytes(bytes): bytes': same,
  'bytes(string): bytes': (text: string) => new TextEncoder().encode(text),
  'double(double): double': same,
  'double(int): double': Number,
  'double(string): double': doubleFromText,
  'double(uint): double': ({ value }: Uint) => Number(value),
  'duration(duration): duration': same,
  'duration(string): duration': (text: string) => durationFromText(text) ?? unconvertible('google.protobuf.Duration'),
  'dyn(A): dyn': same,
  'int(int): int': same,
  'int(double): int': (value: number) => {
    if (!(Math.abs(value) < 2 ** 63)) throw new EvaluationFailure('integer overflow')
    return BigInt(Math.trunc(value))
  },
  'int(string): int': (text: string) => (/^[+-]?\d+$/.test(text) ? int(parsed(text)) : unconvertible('int')),
  'int(timestamp): int': ({ nanos }: Timestamp) => nanos / second - (nanos % second < 0n ? 1n : 0n),
  'int(uint): int': ({ value }: Uint) => int(value),
  'string(string): string': same,
  'string(bool): string': String,
  'string(bytes): string': (bytes: Uint8Array) => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      return refuse('invalid UTF-8 in bytes, cannot convert to string')
    }
  },
  'string(double): string': doubleToText,
  'string(duration): string': (duration: Duration) => durationToText(duration),
  'string(int): string': String,
  'string(timestamp): string': (time: Timestamp) => timestampToText(time),
  'string(uint): string': ({ value }: Uint) => String(value),
  'timestamp(timestamp): timestamp': same,
  'timestamp(string): timestamp': (text: string) =>
    timestampFromText(text) ?? unconvertible('google.protobuf.Timestamp'),
  'timestamp(int): timestamp': (seconds: bigint) => checkedTimestamp(seconds * second),
  'type(A): type<A>': (value: unknown) => new TypeValue(typeOf(value)),
  'uint(uint): uint': same,
  'uint(double): uint': (value: number) => {
    if (!(value >= 0 && value < 2 ** 64)) throw new EvaluationFailure('unsigned integer overflow')
    return uint(BigInt(Math.trunc(value)))
  },
  'uint(int): uint': (value: bigint) => uint(value),
  'uint(string): uint': (text: string) => (/^\d+$/.test(text) ? uint(parsed(text)) : unconvertible('uint')),
}

/** Formats a double as Go's strconv does with format 'g' and the shortest precision. */
export function doubleToText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  }
  return String(value)
}

const second = 1_000_000_000n

function same(value: unknown): unknown {
  return value
}

function parsed(text: string): bigint {
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''))
}

function doubleFromText(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^nan$/i.test(text)) return Number.NaN
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return unconvertible('double')
  return Number(text)
}

function unconvertible(type: string): never {
  return refuse(`type conversion error from 'string' to '${type}'`)
}

function refuse(message: string): never {
  throw new EvaluationFailure(message)
}
