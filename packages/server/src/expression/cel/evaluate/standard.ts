import { type FunctionTable, type Overload, operator, overloadsOf } from '../check/functions.ts'
import { add, compare, divide, modulo, multiply, negate, subtract } from './arithmetic.ts'
import { conversions } from './conversions.ts'
import { sameValue, valueOfKey } from './equality.ts'
import { optionalFunctions } from './optionals.ts'
import { clockAt } from './time.ts'
import { type Duration, EvaluationFailure, noSuchOverload, StructValue, type Timestamp } from './values.ts'

/** CEL's standard operators and functions. StepCompiler evaluates those that may skip an operand (`never` here). */
export function standardFunctions(): Overload[] {
  const never = () => {
    throw noSuchOverload()
  }
  const ordered = (name: string, holds: (order: number) => boolean) =>
    operator(name, comparable, (a: unknown, b: unknown) => holds(compare(a, b)))
  return [
    ...operator('_?_:_', ['bool, A, A: A'], never),
    ...operator('_&&_', ['bool, bool: bool'], never),
    ...operator('_||_', ['bool, bool: bool'], never),
    ...operator('@not_strictly_false', ['bool: bool'], never),
    ...operator('!_', ['bool: bool'], (value: unknown) => (typeof value === 'boolean' ? !value : never())),
    ...operator('_==_', ['A, A: bool'], sameValue),
    ...operator('_!=_', ['A, A: bool'], (a: unknown, b: unknown) => !sameValue(a, b)),
    ...operator('@in', ['A, list<A>: bool', 'A, map<A, B>: bool'], isIn),
    ...operator(
      '_[_]',
      [
        'list<A>, int: A',
        'map<A, B>, A: B',
        'optional<list<A>>, int: optional<A>',
        'optional<map<A, B>>, A: optional<B>',
      ],
      never,
    ),
    ...operator(
      '_[?_]',
      [
        'list<A>, int: optional<A>',
        'optional<list<A>>, int: optional<A>',
        'map<A, B>, A: optional<B>',
        'optional<map<A, B>>, A: optional<B>',
      ],
      never,
    ),
    ...operator('_+_', sums, add),
    ...operator('_-_', differences, subtract),
    ...operator('_*_', ['double, double: double', 'int, int: int', 'uint, uint: uint'], multiply),
    ...operator('_/_', ['double, double: double', 'int, int: int', 'uint, uint: uint'], divide),
    ...operator('_%_', ['int, int: int', 'uint, uint: uint'], modulo),
    ...operator('-_', ['double: double', 'int: int'], negate),
    ...ordered('_<_', (order) => order < 0),
    ...ordered('_<=_', (order) => order <= 0),
    ...ordered('_>_', (order) => order > 0),
    ...ordered('_>=_', (order) => order >= 0),
    ...operator('cel.@mapInsert', ['map<K, V>, K, V: map<K, V>', 'map<K, V>, map<K, V>: map<K, V>'], insert),
    ...overloadsOf(conversions),
    ...overloadsOf(sizes),
    ...overloadsOf(clocks),
    ...optionalFunctions(),
  ]
}

/** The operator `in`: an item of a list, or a key of a map. */
export function isIn(item: unknown, range: unknown): boolean {
  if (Array.isArray(range)) return range.some((each) => sameValue(item, each))
  if (range instanceof Map) return valueOfKey(range, item) !== undefined
  if (range instanceof StructValue) return typeof item === 'string' && range.get(item) !== undefined
  throw noSuchOverload()
}

const comparable = [
  ...[
    'bool, bool',
    'int, int',
    'int, double',
    'int, uint',
    'uint, uint',
    'uint, double',
    'uint, int',
    'double, double',
  ],
  ...['double, int', 'double, uint', 'string, string', 'bytes, bytes', 'timestamp, timestamp', 'duration, duration'],
].map((form) => `${form}: bool`)

const sums = [
  ...['bytes, bytes: bytes', 'double, double: double', 'duration, duration: duration'],
  ...['duration, timestamp: timestamp', 'timestamp, duration: timestamp', 'int, int: int'],
  ...['list<A>, list<A>: list<A>', 'string, string: string', 'uint, uint: uint'],
]

const differences = [
  ...['double, double: double', 'duration, duration: duration', 'int, int: int', 'timestamp, duration: timestamp'],
  ...['timestamp, timestamp: duration', 'uint, uint: uint'],
]

function insert(map: ReadonlyMap<unknown, unknown>, ...entry: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const result = new Map(map)
  insertInto(result, entry)
  return result
}

/** Adds a key and value, or all entries of a map, to a map; fails if a key exists. */
export function insertInto(map: Map<unknown, unknown>, entry: readonly unknown[]): void {
  const entries = entry.length === 2 ? [entry as [unknown, unknown]] : (entry[0] as ReadonlyMap<unknown, unknown>)
  if (entry.length === 1 && !(entry[0] instanceof Map)) throw noSuchOverload()
  for (const [key, value] of entries) {
    if (valueOfKey(map, key) !== undefined)
      throw new EvaluationFailure(`insert failed: key ${String(key)} already exists`)
    map.set(key, value)
  }
}

const sizes: FunctionTable = {
  'size(bytes): int': sizeOf,
  'size(list<A>): int': sizeOf,
  'size(map<A, B>): int': sizeOf,
  'size(string): int': sizeOf,
  'bytes.size(): int': sizeOf,
  'list<A>.size(): int': sizeOf,
  'map<A, B>.size(): int': sizeOf,
  'string.size(): int': sizeOf,
}

function sizeOf(value: string | Uint8Array | readonly unknown[] | ReadonlyMap<unknown, unknown>): bigint {
  if (typeof value === 'string') return BigInt(codePoints(value))
  return BigInt('size' in value ? value.size : value.length)
}

/** The number of Unicode code points of a string, which is CEL's size of strings. */
export function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xd800 && code < 0xdc00) count--
  }
  return count
}

const clocks: FunctionTable = Object.fromEntries([
  ...clock('getFullYear', (date) => date.getUTCFullYear()),
  ...clock('getMonth', (date) => date.getUTCMonth()),
  ...clock('getDayOfYear', (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000)),
  ...clock('getDayOfMonth', (date) => date.getUTCDate() - 1),
  ...clock('getDate', (date) => date.getUTCDate()),
  ...clock('getDayOfWeek', (date) => date.getUTCDay()),
  ...clock('getHours', (date) => date.getUTCHours()),
  ...clock('getMinutes', (date) => date.getUTCMinutes()),
  ...clock('getSeconds', (date) => date.getUTCSeconds()),
  ...clock('getMilliseconds', (date) => date.getUTCMilliseconds()),
  ['duration.getHours(): int', ({ nanos }: Duration) => nanos / 3_600_000_000_000n],
  ['duration.getMinutes(): int', ({ nanos }: Duration) => nanos / 60_000_000_000n],
  ['duration.getSeconds(): int', ({ nanos }: Duration) => nanos / 1_000_000_000n],
  ['duration.getMilliseconds(): int', ({ nanos }: Duration) => (nanos / 1_000_000n) % 1000n],
])

function clock(name: string, read: (date: Date) => number): [string, FunctionTable[string]][] {
  return [
    [`timestamp.${name}(): int`, (time: Timestamp) => BigInt(read(clockAt(time, undefined)))],
    [`timestamp.${name}(string): int`, (time: Timestamp, zone: string) => BigInt(read(clockAt(time, zone)))],
  ]
}
