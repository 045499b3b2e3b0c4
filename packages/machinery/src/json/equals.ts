import { JsonNumber, numbersEqual } from './json-number.ts'
import type { JsonObject, JsonValue } from './json-value.ts'

/** Compares deeply: keys in any order, numbers by value in either representation, lists item by item. */
export function jsonEquals(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEqualNumber(a, b)
  if (a instanceof JsonNumber || b instanceof JsonNumber) return isEqualNumber(a, b)
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b)
  return !Array.isArray(b) && objectsEqual(a, b)
}

function isEqualNumber(a: JsonValue, b: JsonValue): boolean {
  return isNumber(a) && isNumber(b) && numbersEqual(a, b)
}

function isNumber(value: JsonValue): value is number | JsonNumber {
  return typeof value === 'number' || value instanceof JsonNumber
}

function listsEqual(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (!jsonEquals(a[index]!, b[index]!)) return false
  return true
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  // Counts the keys of `a` up and those of `b` down, which avoids allocating two key lists.
  let size = 0
  for (const key in a) {
    size++
    const other = b[key]
    if (other === undefined || !Object.hasOwn(b, key) || !jsonEquals(a[key]!, other)) return false
  }
  for (const _ in b) size--
  return size === 0
}
