import { Decimal } from './decimal.ts'
import { isUnknown } from './unknown.ts'
import { Typed, type Value } from './value.ts'

/** The way from a value to a part of it. */
export type Path = readonly PathStep[]

export type PathStep =
  /** An attribute of an object, or a block. */
  | { readonly kind: 'attribute'; readonly name: string }
  /** An element of a map. */
  | { readonly kind: 'key'; readonly key: string }
  /** An element of a list or tuple; of a set by its place in canonical order. */
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

/** A path as people read it: `rules[0].tags["a b"]`. */
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

/** Whether a path is the other one or leads into it. */
export function startsWithPath(path: Path, start: Path): boolean {
  return path.length >= start.length && start.every((step, index) => sameStep(step, path[index]!))
}

/**
 * The part of a value at a path: undefined where there is none, unknown where the way leads through an unknown. The
 * types that dynamic values carry are passed over.
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
  // A provider may name an element of a map as it names an attribute, and the other way round.
  return (a.kind === 'key' ? a.key : a.name) === (b.kind === 'key' ? b.key : b.name)
}
