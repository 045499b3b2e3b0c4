import { Duration, Timestamp, TypeValue, Uint } from '@hykube/server/expression'
import type { TextMessage, TextScalar } from './text-proto.ts'

/** Converts a value of the specification to the evaluator's representation. */
export function celValue(value: TextMessage): unknown {
  const [kind = '', [given] = []] = Object.entries(value)[0] ?? []
  switch (kind) {
    case 'int64_value':
      return BigInt(word(given))
    case 'uint64_value':
      return new Uint(BigInt(word(given)))
    case 'double_value':
      return numberFrom(word(given))
    case 'bool_value':
      return word(given) === 'true'
    case 'string_value':
      return Buffer.from(given as string, 'latin1').toString()
    case 'bytes_value':
      return Buffer.from(given as string, 'latin1')
    case 'null_value':
      return null
    case 'list_value':
      return (((given as TextMessage).values ?? []) as TextMessage[]).map(celValue)
    case 'map_value':
      return new Map(
        entriesOf(given as TextMessage).map(([key, each]) => [celValue(key), celValue(each)] as [unknown, unknown]),
      )
    default:
      throw new Error(`values of kind ${kind} are not supported`)
  }
}

/** Returns true when a value equals the expected one. */
export function isCelValue(value: unknown, expected: TextMessage): boolean {
  const [kind = '', [given] = []] = Object.entries(expected)[0] ?? []
  switch (kind) {
    case 'int64_value':
    case 'enum_value':
      return typeof value === 'bigint' && value === BigInt(word(given))
    case 'uint64_value':
      return value instanceof Uint && value.value === BigInt(word(given))
    case 'double_value':
      return typeof value === 'number' && Object.is(value + 0, numberFrom(word(given)) + 0)
    case 'bytes_value':
      return value instanceof Uint8Array && Buffer.from(value).toString('latin1') === given
    case 'list_value':
      return isList(value, ((given as TextMessage).values ?? []) as TextMessage[])
    case 'map_value':
      return isMap(value, entriesOf(given as TextMessage))
    case 'type_value':
      return value instanceof TypeValue && value.type.name === given
    case 'object_value':
      return isObject(value, given as TextMessage)
    default:
      return celValue(expected) === value
  }
}

function isList(value: unknown, expected: readonly TextMessage[]): boolean {
  return (
    Array.isArray(value) &&
    value.length === expected.length &&
    expected.every((each, at) => isCelValue(value[at], each))
  )
}

function isMap(value: unknown, expected: readonly [TextMessage, TextMessage][]): boolean {
  if (typeof value !== 'object' || value === null) return false
  const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  if (entries.length !== expected.length) return false
  return expected.every(([key, each]) =>
    entries.some(([have, held]) => (isCelValue(have, key) || String(celValue(key)) === have) && isCelValue(held, each)),
  )
}

// Of all messages only timestamps and durations have a representation.
function isObject(value: unknown, given: TextMessage): boolean {
  const [type = '', [message] = []] = Object.entries(given)[0] ?? []
  const { seconds = [], nanos = [] } = (message ?? {}) as Record<string, TextScalar[]>
  const expected = BigInt(seconds[0]?.text ?? 0) * 1_000_000_000n + BigInt(nanos[0]?.text ?? 0)
  if (type.endsWith('Timestamp')) return value instanceof Timestamp && value.nanos === expected
  return type.endsWith('Duration') && value instanceof Duration && value.nanos === expected
}

function entriesOf(map: TextMessage): [TextMessage, TextMessage][] {
  return ((map.entries ?? []) as TextMessage[]).map(({ key, value }) => [
    key![0] as TextMessage,
    value![0] as TextMessage,
  ])
}

function word(value: unknown): string {
  return (value as TextScalar).text
}

function numberFrom(text: string): number {
  const bare = text.toLowerCase().replace(/(?<=[\d.])f$/, '')
  if (/inf(inity)?$/.test(bare)) return bare.startsWith('-') ? -Infinity : Infinity
  return bare === 'nan' ? Number.NaN : Number(bare)
}
