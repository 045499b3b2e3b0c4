/** Reads objects of unknown shape: a missing value, or one of another type, becomes empty. */
export type Untyped = Readonly<Record<string, unknown>>

/** Returns the value as an object; empty for anything else. */
export function objectOf(value: unknown): Untyped {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Untyped {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value as a list; empty for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the value as a string; '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the strings in a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

/** True when two JSON values are equal, independent of the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]))
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}
