import { Decimal } from './decimal.ts'
import { sameType } from './type.ts'
import { type NumberBound, type Refinement, Unknown } from './unknown.ts'
import { isList, isObject, Typed, type Value, type ValueObject } from './value.ts'

/**
 * Deep equality. Types of dynamic values and refinements of unknowns count: two unknowns with equal refinements are
 * equal here, although their final values may differ.
 */
export function equalValues(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (a instanceof Decimal) return b instanceof Decimal && a.equals(b)
  if (a instanceof Unknown) return b instanceof Unknown && sameRefinement(a.refinement, b.refinement)
  if (a instanceof Typed) return b instanceof Typed && sameType(a.type, b.type) && equalValues(a.value, b.value)
  if (isList(a)) return isList(b) && a.length === b.length && a.every((part, i) => equalValues(part, b[i]!))
  return isObject(b) && isObject(a) && sameObject(a, b)
}

function sameObject(a: ValueObject, b: ValueObject): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && equalValues(a[name]!, b[name]!))
}

function sameRefinement(a: Refinement = {}, b: Refinement = {}): boolean {
  return (
    (a.notNull ?? false) === (b.notNull ?? false) &&
    (a.prefix ?? '') === (b.prefix ?? '') &&
    sameBound(a.minimum, b.minimum) &&
    sameBound(a.maximum, b.maximum) &&
    (a.minimumLength ?? 0) === (b.minimumLength ?? 0) &&
    a.maximumLength === b.maximumLength
  )
}

function sameBound(a: NumberBound | undefined, b: NumberBound | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.inclusive === b.inclusive && a.value.equals(b.value)
}
