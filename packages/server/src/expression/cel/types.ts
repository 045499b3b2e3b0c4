/** What kinds of types there are. A struct has fields that are known; an opaque type has only functions. */
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

/** A type of expressions. Types are compared with `sameType`, never by identity. */
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

/** The type of lists of something. */
export function listType(item: Type): Type {
  return { kind: 'list', name: 'list', parameters: [item] }
}

/** The type of maps from something to something. */
export function mapType(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value] }
}

/** The type of values that may be missing. */
export function optionalType(value: Type): Type {
  return opaqueType('optional_type', value)
}

/** The type of a type. */
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

/** A type that is still to be found. */
export function typeParameter(name: string): Type {
  return simple('parameter', name)
}

/** Whether a type is that of values that may be missing. */
export function isOptionalType(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type'
}

/** Whether two types are the same in all their parts. */
export function sameType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((parameter, at) => sameType(parameter, b.parameters[at]!)))
  )
}

/** A type as compile errors print it. */
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
