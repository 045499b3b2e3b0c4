import { timestampToText } from '../cel/evaluate/time.ts'
import {
  type Duration,
  EvaluationFailure,
  type Timestamp,
  type TypeValue,
  typeOf,
  Uint,
} from '../cel/evaluate/values.ts'

/** `"%d of %s".format([3, "x"])`: the clauses %s %d %f %e %b %o %x %X and %%. */
export function formatText(template: string, values: readonly unknown[]): string {
  let next = 0
  return template.replace(/%(?:\.(\d*))?([\s\S]?)/g, (_, precision: string | undefined, clause: string) => {
    if (clause === '%' && precision === undefined) return '%'
    if (clause === '') throw new EvaluationFailure('unexpected end of string')
    if (next >= values.length) throw new EvaluationFailure(`index ${next} out of range`)
    if (precision === '')
      throw new EvaluationFailure('could not parse formatting clause: error while parsing precision')
    return clauseText(clause, values[next++], precision === undefined ? 6 : Number(precision))
  })
}

function clauseText(clause: string, value: unknown, precision: number): string {
  switch (clause) {
    case 's':
      return shown(value)
    case 'd':
      if (isWhole(value) || typeof value === 'number') return shown(value)
      throw wrongType(value, 'decimal clause can only be used on ints, uints, and doubles')
    case 'f':
      return number(value, 'fixed-point clause can only be used on ints, uints, and doubles', (size) =>
        fixed(size, precision),
      )
    case 'e':
      return number(value, 'scientific clause can only be used on ints, uints, and doubles', (size) =>
        size.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2'),
      )
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return whole(value, 'only ints, uints, and bools can be formatted as binary').toString(2)
    case 'o':
      return whole(value, 'octal clause can only be used on ints and uints').toString(8)
    case 'x':
      return hex(value)
    case 'X':
      return hex(value).toUpperCase()
    default:
      throw new EvaluationFailure(`could not parse formatting clause: unrecognized formatting clause "${clause}"`)
  }
}

function shown(value: unknown): string {
  switch (typeOf(value).kind) {
    case 'string':
    case 'bool':
    case 'int':
      return String(value)
    case 'null':
      return 'null'
    case 'uint':
      return String((value as Uint).value)
    case 'double':
      return special(value as number) ?? plain(value as number)
    case 'bytes':
      return new TextDecoder().decode(value as Uint8Array)
    case 'duration':
      return `${plain(Number((value as Duration).nanos) / 1e9)}s`
    case 'timestamp':
      return timestampToText(value as Timestamp)
    case 'type':
      return (value as TypeValue).type.name
    case 'list':
      return `[${(value as readonly unknown[]).map(shown).join(', ')}]`
    case 'map':
      return mapText(value as ReadonlyMap<unknown, unknown>)
    default: {
      const what = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps'
      throw wrongType(value, `string clause can only be used on ${what}`)
    }
  }
}

function mapText(map: ReadonlyMap<unknown, unknown>): string {
  const entries = [...map].map(([key, item]) => [shown(key), shown(item)] as const)
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${entries.map(([key, item]) => `${key}: ${item}`).join(', ')}}`
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? undefined : value > 0 ? 'Infinity' : '-Infinity'
}

// Formats without an exponent.
function plain(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return text
  const [, sign = '', first = '', rest = '', exponent] = match
  const power = Number(exponent)
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${first}${rest}`
  return `${sign}${first}${rest.padEnd(power, '0')}`
}

// Rounds exact halves to even, as Go does.
function fixed(value: number, precision: number): string {
  const digits = Math.min(precision, 100)
  const text = value.toFixed(digits)
  if (digits > 15 || Math.abs(value) >= 2 ** 52) return text
  const scaled = value * 10 ** digits
  const isHalf = Math.abs(scaled % 1) === 0.5 && scaled / 10 ** digits === value
  if (!isHalf) return text
  const even = 2 * Math.round(scaled / 2)
  return (even / 10 ** digits).toFixed(digits)
}

function number(value: unknown, otherwise: string, format: (value: number) => string): string {
  if (isWhole(value)) return format(Number(value instanceof Uint ? value.value : value))
  if (typeof value === 'number') return special(value) ?? format(value)
  throw wrongType(value, otherwise)
}

function hex(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return whole(value, 'only ints, uints, bytes, and strings can be formatted as hex').toString(16)
}

function isWhole(value: unknown): value is bigint | Uint {
  return typeof value === 'bigint' || value instanceof Uint
}

function whole(value: unknown, otherwise: string): bigint {
  if (isWhole(value)) return value instanceof Uint ? value.value : value
  throw wrongType(value, otherwise)
}

function wrongType(value: unknown, why: string): EvaluationFailure {
  return new EvaluationFailure(`error during formatting: ${why}, was given ${typeOf(value).name}`)
}
