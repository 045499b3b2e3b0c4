import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  type Type,
  timestampType,
  typeType,
  uintType,
} from '../check/types.ts'

/** An error of an evaluation. */
export class EvaluationFailure extends Error {}

/** The error of a call whose values match no overload. cel-go's message names functions, but not operators. */
export function noSuchOverload(name?: string): EvaluationFailure {
  return new EvaluationFailure(name === undefined ? 'no such overload' : `no such overload: ${name}`)
}

/** A CEL uint. An int is a bigint, a double is a number. */
export class Uint {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A time span in nanoseconds. */
export class Duration {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** An optional value. */
export class Optional {
  readonly #value: unknown

  private constructor(value: unknown) {
    this.#value = value
  }

  static of(value: unknown): Optional {
    return new Optional(value)
  }

  static none(): Optional {
    return none
  }

  hasValue(): boolean {
    return this.#value !== undefined
  }

  /** The value; fails if there is none. */
  value(): unknown {
    if (this.#value === undefined) throw new EvaluationFailure('optional.none() dereference')
    return this.#value
  }

  static readonly absent = new Optional(undefined)
}

const none = Optional.absent

/** The value of a type name, such as the result of `type(x)`. */
export class TypeValue {
  readonly type: Type

  constructor(type: Type) {
    this.type = type
  }
}

/** A value of a struct type. */
export abstract class StructValue {
  abstract readonly type: Type
  /** The value of a field; undefined if it is not set. */
  abstract get(field: string): unknown
  abstract equals(other: StructValue): boolean
  /** The number of set fields. */
  abstract readonly size: number
}

/** A value of a library type, such as a URL or a quantity. */
export abstract class LibraryValue {
  abstract readonly type: Type
  abstract equals(other: this): boolean
  /** The size for cost tracking, in bytes; 1 for types of constant cost. */
  get size(): number {
    return 1
  }
}

/** The runtime type of a value. Elements of lists and maps are dyn. */
export function typeOf(value: unknown): Type {
  switch (typeof value) {
    case 'string':
      return stringType
    case 'bigint':
      return intType
    case 'number':
      return doubleType
    case 'boolean':
      return boolType
    default:
      return typeOfObject(value)
  }
}

function typeOfObject(value: unknown): Type {
  if (value === null) return nullType
  if (Array.isArray(value)) return anyList
  if (value instanceof Map) return anyMap
  if (value instanceof StructValue || value instanceof LibraryValue) return value.type
  if (value instanceof Uint) return uintType
  if (value instanceof Timestamp) return timestampType
  if (value instanceof Duration) return durationType
  if (value instanceof Optional) return anyOptional
  if (value instanceof Uint8Array) return bytesType
  return value instanceof TypeValue ? anyType : dynType
}

const anyList = listType(dynType)
const anyMap = mapType(dynType, dynType)
const anyOptional = optionalType(dynType)
const anyType = typeType()
