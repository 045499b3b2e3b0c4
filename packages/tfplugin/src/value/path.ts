import { Decimal } from './decimal.ts'
import { isUnknown } from './unknown.ts'
import { Typed, type Value } from './value.ts'

/** Steps from a value to one of its parts. */
export type Path = readonly PathStep[]

export type PathStep =
  /** An attribute or block of an object. */
  | { readonly kind: 'attribute'; readonly name: string }
  /** An element of a map. */
  | { readonly kind: 'key'; readonly key: string }
  /** An element of a list or tuple; for a set, its position in canonical order. */
  | { readonly kind: 'index'; readonly index: number }

export function attributeStep(name: string): PathStep {
  return { kind: 'attribute', name }
}

export function keyStep(key: string): PathStep {
  return { kind: 'key', key }
}

export function indexStep(index: number): PathStep {
  return { kind: 'index', index }
}

/** Formats a path for messages: `rules[0].tags["a b"]`. */
export function pathToText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (step.kind === 'attribute') text += text === '' ? step.name : `.${step.name}`
    else text += `[${step.kind === 'key' ? JSON.stringify(step.key) : step.index}]`
  }
  return text
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && startsWithPath(a, b)
}

/** Returns true when `path` equals `start` or leads to a part of it. */
export function startsWithPath(path: Path, start: Path): boolean {
  return path.length >= start.length && start.every((step, index) => sameStep(step, path[index]!))
}

/**
 * Returns the part of a value at a path: undefined when it does not exist, unknown when the path leads through an
 * unknown. Typed wrappers of dynamic values take no step.
 */
export function valueAt(value: Value, path: Path): Value | undefined {
  let current: Value | undefined = value
  for (const step of path) {
    if (current instanceof Typed) current = current.value
    if (current === undefined || current === null || isUnknown(current)) return current ?? undefined
    current = partAt(current, step)
  }
  return current
}

function partAt(value: Value, step: PathStep): Value | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return undefined
  if (step.kind === 'index') return Array.isArray(value) ? (value[step.index] as Value | undefined) : undefined
  const name = step.kind === 'key' ? step.key : step.name
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, Value>>)[name] : undefined
}

function sameStep(a: PathStep, b: PathStep): boolean {
  if (a.kind === 'index' || b.kind === 'index') return a.kind === 'index' && b.kind === 'index' && a.index === b.index
  // Providers name map elements as attributes and attributes as map keys.
  return (a.kind === 'key' ? a.key : a.name) === (b.kind === 'key' ? b.key : b.name)
}
