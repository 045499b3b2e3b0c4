import { Duration, LibraryValue, Optional, StructValue, Timestamp, TypeValue, Uint } from './values.ts'

/** CEL's equality. Numbers of different types are compared by value; values of other different types are unequal. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => sameValue(item, b[at]))
  }
  if (a instanceof Map) return b instanceof Map && sameMap(a, b)
  if (a instanceof StructValue) return b instanceof StructValue && a.equals(b)
  if (a instanceof LibraryValue) return b instanceof LibraryValue && a.type.name === b.type.name && a.equals(b)
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0
  if (a instanceof TypeValue) return b instanceof TypeValue && a.type.name === b.type.name
  return a instanceof Optional && b instanceof Optional && sameOptional(a, b)
}

/** A value of type int, double or uint. */
export type Numeric = bigint | number | Uint

/** Narrows a value to a number. */
export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint
}

/** Compares two numbers: negative, 0 or positive; NaN if one is NaN. Integers are converted to compare them with doubles. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  const first = a instanceof Uint ? a.value : a
  const second = b instanceof Uint ? b.value : b
  if (typeof first === 'bigint' && typeof second === 'bigint') return first < second ? -1 : first > second ? 1 : 0
  const x = Number(first)
  const y = Number(second)
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN
}

/** Compares bytes lexicographically. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!
  return a.length - b.length
}

/** The value of a key; undefined if it is absent. Numeric keys are equal by value whatever their type. */
export function valueOfKey(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  if (!isNumeric(key)) return map.get(key)
  const whole = wholeOf(key)
  if (whole === undefined) return undefined
  return map.get(whole) ?? map.get(unsignedKey(map, whole))
}

/** Finds a uint key by its value: Uint keys are objects, so Map.get can't find them by identity. */
function unsignedKey(map: ReadonlyMap<unknown, unknown>, whole: bigint): unknown {
  for (const key of map.keys()) {
    if (!(key instanceof Uint)) continue
    if (key.value === whole) return key
  }
  return undefined
}

function wholeOf(key: Numeric): bigint | undefined {
  if (key instanceof Uint) return key.value
  if (typeof key === 'bigint') return key
  return Number.isInteger(key) ? BigInt(key) : undefined
}

function sameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) {
    const other = valueOfKey(b, key)
    if (other === undefined || !sameValue(value, other)) return false
  }
  return true
}

function sameOptional(a: Optional, b: Optional): boolean {
  if (!a.hasValue() || !b.hasValue()) return a.hasValue() === b.hasValue()
  return sameValue(a.value(), b.value())
}
