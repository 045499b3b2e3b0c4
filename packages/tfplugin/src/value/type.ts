import { byCodePoint } from './text-order.ts'

/** The type of a provider's value. */
export type Type = PrimitiveType | CollectionType | TupleType | ObjectType

export interface PrimitiveType {
  /** `dynamic`: any type; each value says which. */
  readonly kind: 'string' | 'number' | 'bool' | 'dynamic'
}

export interface CollectionType {
  readonly kind: 'list' | 'set' | 'map'
  readonly element: Type
}

export interface TupleType {
  readonly kind: 'tuple'
  readonly elements: readonly Type[]
}

export interface ObjectType {
  readonly kind: 'object'
  /** In the order in which they are written: by the bytes of their names. */
  readonly attributes: ReadonlyMap<string, Type>
  /** Those that a value given for conversion may lack. Means nothing on the wire. */
  readonly optional?: ReadonlySet<string>
}

export const stringType: PrimitiveType = { kind: 'string' }
export const numberType: PrimitiveType = { kind: 'number' }
export const boolType: PrimitiveType = { kind: 'bool' }
export const dynamicType: PrimitiveType = { kind: 'dynamic' }

export function listType(element: Type): CollectionType {
  return { kind: 'list', element }
}

export function setType(element: Type): CollectionType {
  return { kind: 'set', element }
}

export function mapType(element: Type): CollectionType {
  return { kind: 'map', element }
}

export function tupleType(elements: readonly Type[]): TupleType {
  return { kind: 'tuple', elements }
}

/** An object with these attributes, which may be given in any order. */
export function objectType(
  attributes: Readonly<Record<string, Type>> | ReadonlyMap<string, Type>,
  optional?: Iterable<string>,
): ObjectType {
  const entries = attributes instanceof Map ? [...attributes] : Object.entries(attributes)
  const sorted = new Map(entries.sort(([a], [b]) => byCodePoint(a, b)) as [string, Type][])
  const optionalNames = new Set(optional)
  return {
    kind: 'object',
    attributes: sorted,
    ...(optionalNames.size > 0 && { optional: optionalNames }),
  }
}

/** Whether two types are the same. Which attributes are optional does not count. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'list':
    case 'set':
    case 'map':
      return sameType(a.element, (b as CollectionType).element)
    case 'tuple':
      return sameElements(a.elements, (b as TupleType).elements)
    case 'object':
      return sameAttributes(a.attributes, (b as ObjectType).attributes)
    default:
      return true
  }
}

/** Whether values of the type carry their types along somewhere. */
export function hasDynamic(type: Type): boolean {
  switch (type.kind) {
    case 'dynamic':
      return true
    case 'list':
    case 'set':
    case 'map':
      return hasDynamic(type.element)
    case 'tuple':
      return type.elements.some(hasDynamic)
    case 'object':
      return [...type.attributes.values()].some(hasDynamic)
    default:
      return false
  }
}

/** A type as people write it: `list(string)`, `object({a = number})`. */
export function typeToText(type: Type): string {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      return `${type.kind}(${typeToText(type.element)})`
    case 'tuple':
      return `tuple([${type.elements.map(typeToText).join(', ')}])`
    case 'object':
      return `object({${[...type.attributes].map(([name, of]) => `${name} = ${typeToText(of)}`).join(', ')}})`
    default:
      return type.kind
  }
}

function sameElements(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((element, index) => sameType(element, b[index]!))
}

function sameAttributes(a: ReadonlyMap<string, Type>, b: ReadonlyMap<string, Type>): boolean {
  if (a.size !== b.size) return false
  for (const [name, type] of a) {
    const other = b.get(name)
    if (other === undefined || !sameType(type, other)) return false
  }
  return true
}
