import { Decimal } from './decimal.ts'
import type { Type } from './type.ts'
import { Unknown } from './unknown.ts'

/**
 * A provider's value in memory. Lists, tuples and sets are arrays, sets in canonical order (see canonicalSet); maps and
 * objects are objects without a prototype. A value in a `dynamic` position is wrapped in a Typed, unless it is null or
 * unknown. Values are immutable.
 */
export type Value = null | Unknown | string | boolean | Decimal | Typed | ValueList | ValueObject

export type ValueList = readonly Value[]

/** A map or an object, created by valueObject or emptyObject so that no name is inherited, not even `__proto__`. */
export interface ValueObject {
  readonly [name: string]: Value
}

/** A value in a dynamic position with its own type. Never nested directly in another Typed. */
export class Typed {
  readonly type: Type
  readonly value: Exclude<Value, Typed>

  constructor(type: Type, value: Exclude<Value, Typed>) {
    this.type = type
    this.value = value
  }
}

/** Creates an object that only its creator may fill. */
export function emptyObject(): Record<string, Value> {
  return new Bare()
}

/** Creates an object from entries. */
export function valueObject(
  entries: Iterable<readonly [string, Value]> | Readonly<Record<string, Value>>,
): ValueObject {
  const object = emptyObject()
  const pairs = Symbol.iterator in entries ? (entries as Iterable<readonly [string, Value]>) : Object.entries(entries)
  for (const [name, value] of pairs) object[name] = value
  return object
}

/** Returns true for a map or an object. */
export function isObject(value: Value): value is ValueObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isSpecial(value)
}

/** Returns true for a list, tuple or set. */
export function isList(value: Value): value is ValueList {
  return Array.isArray(value)
}

function isSpecial(value: object): boolean {
  return value instanceof Unknown || value instanceof Decimal || value instanceof Typed
}

// Instances of a class whose prototype is empty and has no prototype itself: as safe as Object.create(null), but V8
// keeps them in its fast mode instead of dictionary mode.
class Bare {
  [name: string]: Value
}
Reflect.deleteProperty(Bare.prototype, 'constructor')
Object.setPrototypeOf(Bare.prototype, null)
