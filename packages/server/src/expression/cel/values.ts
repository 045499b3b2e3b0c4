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
} from './types.ts'

/** Why an expression has no value. */
export class EvaluationFailure extends Error {}

/** What an operation fails with that does not exist for the values it is given; cel-go names functions, not operators. */
export function noSuchOverload(name?: string): EvaluationFailure {
  return new EvaluationFailure(name === undefined ? 'no such overload' : `no such overload: ${name}`)
}

/** An unsigned whole number. Signed ones are bigints, doubles are numbers. */
export class Uint {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

/** A moment, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A length of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A value that may be missing. */
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

  /** The value; fails when there is none. */
  value(): unknown {
    if (this.#value === undefined) throw new EvaluationFailure('optional.none() dereference')
    return this.#value
  }

  static readonly absent = new Optional(undefined)
}

const none = Optional.absent

/** A type as a value. */
export class TypeValue {
  readonly type: Type

  constructor(type: Type) {
    this.type = type
  }
}

/** A value with fields that a schema declares. */
export abstract class StructValue {
  abstract readonly type: Type
  /** The value of a field; undefined when it is not set. */
  abstract get(field: string): unknown
  abstract equals(other: StructValue): boolean
  /** How many fields are set. */
  abstract readonly size: number
}

/** A value of one of the libraries' own types. */
export abstract class LibraryValue {
  abstract readonly type: Type
  abstract equals(other: this): boolean
  /** What passing through it costs, in bytes; 1 when that is nothing to speak of. */
  get size(): number {
    return 1
  }
}

/** The type of a value, with parts of any type. */
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
