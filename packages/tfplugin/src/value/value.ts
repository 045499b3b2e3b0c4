import { Decimal } from './decimal.ts'
import type { Type } from './type.ts'
import { Unknown } from './unknown.ts'

/**
 * A value of a provider as it is in memory. Lists, tuples and sets are arrays, sets in canonical order (see
 * canonicalSet); maps and objects are objects without inherited names. What stands where the schema says `dynamic`
 * carries its type along in a Typed, unless it is null or unknown altogether. Values are never changed in place.
 */
export type Value = null | Unknown | string | boolean | Decimal | Typed | ValueList | ValueObject

export type ValueList = readonly Value[]

/** A map or an object: made by valueObject or emptyObject, so that no name is inherited, `__proto__` included. */
export interface ValueObject {
  readonly [name: string]: Value
}

/** A value of a dynamic attribute together with its own type. Never in another Typed. */
export class Typed {
  readonly type: Type
  readonly value: Exclude<Value, Typed>

  constructor(type: Type, value: Exclude<Value, Typed>) {
    this.type = type
    this.value = value
  }
}

/** An object to be filled by its maker and then left alone. */
export function emptyObject(): Record<string, Value> {
  return new Bare()
}

/** An object of these entries. */
export function valueObject(
  entries: Iterable<readonly [string, Value]> | Readonly<Record<string, Value>>,
): ValueObject {
  const object = emptyObject()
  const pairs = Symbol.iterator in entries ? (entries as Iterable<readonly [string, Value]>) : Object.entries(entries)
  for (const [name, value] of pairs) object[name] = value
  return object
}

/** Whether a value is a map or an object. */
export function isObject(value: Value): value is ValueObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isSpecial(value)
}

/** Whether a value is a list, tuple or set. */
export function isList(value: Value): value is ValueList {
  return Array.isArray(value)
}

function isSpecial(value: object): boolean {
  return value instanceof Unknown || value instanceof Decimal || value instanceof Typed
}

// Objects of a class whose prototype has neither names nor a prototype: as safe as Object.create(null), and V8 keeps
// them in its quick form.
class Bare {
  [name: string]: Value
}
Reflect.deleteProperty(Bare.prototype, 'constructor')
Object.setPrototypeOf(Bare.prototype, null)
