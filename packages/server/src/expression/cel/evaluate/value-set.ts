import { isNumeric, sameValue } from './equality.ts'
import { Duration, EvaluationFailure, Optional, Timestamp, Uint } from './values.ts'

/**
 * A set of CEL values. Values are looked up by a text that is equal for equal values, so that the work is linear in their size:
 * comparing each value with each other one lets a short expression run for minutes.
 */
export class ValueSet {
  readonly #buckets = new Map<string, unknown[]>()

  static of(values: Iterable<unknown>): ValueSet {
    const set = new ValueSet()
    for (const value of values) set.add(value)
    return set
  }

  has(value: unknown): boolean {
    return this.#buckets.get(textOf(value))?.some((each) => sameValue(each, value)) ?? false
  }

  /** Adds a value; returns false when the set has it already. */
  add(value: unknown): boolean {
    const text = textOf(value)
    const bucket = this.#buckets.get(text)
    if (bucket === undefined) this.#buckets.set(text, [value])
    else if (bucket.some((each) => sameValue(each, value))) return false
    else if (bucket.length === mostAlike)
      throw new EvaluationFailure(`more than ${mostAlike} values cannot be told apart`)
    else bucket.push(value)
    return true
  }
}

// Values of the same text are compared one by one.
const mostAlike = 1000

// Different values may have the same text: numbers are rounded to doubles, because 1 and 1.0 are equal.
function textOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (isNumeric(value)) return `${Number(value instanceof Uint ? value.value : value)}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (value instanceof Map)
    return `{${[...value]
      .map(([key, member]) => `${textOf(key)}:${textOf(member)}`)
      .sort()
      .join()}}`
  if (value instanceof Timestamp || value instanceof Duration) return `${value.constructor.name} ${value.nanos}`
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`
  return value instanceof Optional && value.hasValue() ? `optional ${textOf(value.value())}` : value.constructor.name
}
