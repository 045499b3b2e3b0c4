/** Reading objects whose shape nobody has promised: what is missing or of another type reads as empty. */
export type Untyped = Readonly<Record<string, unknown>>

/** The value as an object; an empty one for anything else. */
export function objectOf(value: unknown): Untyped {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Untyped {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as text; '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The texts in a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

/** Whether two JSON values say the same, whatever order their keys are in. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]))
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}
