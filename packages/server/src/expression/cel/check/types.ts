/** The kinds of types. A struct has declared fields; an opaque type has functions only; a parameter is a type variable. */
export type TypeKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'struct'
  | 'parameter'

/** A CEL type. Compare types with `sameType`, never by identity. */
export interface Type {
  readonly kind: TypeKind
  readonly name: string
  readonly parameters: readonly Type[]
  /** The fields of a struct. */
  readonly fields?: ReadonlyMap<string, Type>
}

export const dynType: Type = simple('dyn', 'dyn')
export const errorType: Type = simple('error', '!error!')
export const nullType: Type = simple('null', 'null_type')
export const boolType: Type = simple('bool', 'bool')
export const intType: Type = simple('int', 'int')
export const uintType: Type = simple('uint', 'uint')
export const doubleType: Type = simple('double', 'double')
export const stringType: Type = simple('string', 'string')
export const bytesType: Type = simple('bytes', 'bytes')
export const timestampType: Type = simple('timestamp', 'google.protobuf.Timestamp')
export const durationType: Type = simple('duration', 'google.protobuf.Duration')

/** The type `list(item)`. */
export function listType(item: Type): Type {
  return { kind: 'list', name: 'list', parameters: [item] }
}

/** The type `map(key, value)`. */
export function mapType(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value] }
}

/** The type `optional_type(value)`. */
export function optionalType(value: Type): Type {
  return opaqueType('optional_type', value)
}

/** The type of type values. */
export function typeType(of?: Type): Type {
  return { kind: 'type', name: 'type', parameters: of === undefined ? [] : [of] }
}

/** A type with functions and without fields. */
export function opaqueType(name: string, ...parameters: readonly Type[]): Type {
  return { kind: 'opaque', name, parameters }
}

/** A type with fields. */
export function structType(name: string, fields: ReadonlyMap<string, Type> = new Map()): Type {
  return { kind: 'struct', name, parameters: [], fields }
}

/** A type variable, which the checker infers. */
export function typeParameter(name: string): Type {
  return simple('parameter', name)
}

/** Returns whether a type is `optional_type`. */
export function isOptionalType(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type'
}

/** Structural equality of types. */
export function sameType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((parameter, at) => sameType(parameter, b.parameters[at]!)))
  )
}

/** Formats a type as in cel-go's compile errors. */
export function typeToText({ kind, name, parameters }: Type): string {
  switch (kind) {
    case 'null':
    case 'timestamp':
    case 'duration':
      return kind
    default:
      return parameters.length === 0 ? name : `${name}(${parameters.map(typeToText).join(', ')})`
  }
}

function simple(kind: TypeKind, name: string): Type {
  return { kind, name, parameters: [] }
}
