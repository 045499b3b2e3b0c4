import { FunctionFailure, type FunctionTable } from './function-table.ts'

/** Conversions of CEL's own that the evaluator lacks. */
export const conversionFunctions: FunctionTable = {
  'int(uint): int': (value: { valueOf(): bigint }) => {
    const whole = BigInt(value.valueOf())
    if (whole > largestInt) throw new FunctionFailure('integer overflow')
    return whole
  },
  'int(google.protobuf.Timestamp): int': (time: Date) => BigInt(Math.floor(time.getTime() / 1000)),
  'timestamp(google.protobuf.Timestamp): google.protobuf.Timestamp': (time: Date) => time,
  'duration(google.protobuf.Duration): google.protobuf.Duration': (duration: CelDuration) => duration,
  'string(google.protobuf.Timestamp): string': (time: Date) =>
    time
      .toISOString()
      .replace(/(\.\d*?)0+Z$/, '$1Z')
      .replace('.Z', 'Z'),
  'string(google.protobuf.Duration): string': (duration: CelDuration) => durationText(duration),
}

/** A duration as the evaluator has it. */
interface CelDuration {
  readonly seconds: bigint
  readonly nanos: number
}

const largestInt = 2n ** 63n - 1n

function durationText({ seconds, nanos }: CelDuration): string {
  const all = seconds * 1_000_000_000n + BigInt(nanos)
  const size = all < 0n ? -all : all
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${all < 0n ? '-' : ''}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
}
