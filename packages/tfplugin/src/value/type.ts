import { compareUtf8 } from '@hykube/machinery/base'

/** Type of a provider's value; go-cty's type system. */
export type Type = PrimitiveType | CollectionType | TupleType | ObjectType

export interface PrimitiveType {
  /** `dynamic` stands for any type: each value carries its own. */
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
  /** In encoding order: sorted by the UTF-8 bytes of the names. */
  readonly attributes: ReadonlyMap<string, Type>
  /** Attributes that a value to convert must have; others become null when they are missing. Has no meaning in encodings. */
  readonly required?: ReadonlySet<string>
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

/** Builds an object type; the attributes may be passed in any order. */
export function objectType(
  attributes: Readonly<Record<string, Type>> | ReadonlyMap<string, Type>,
  required?: Iterable<string>,
): ObjectType {
  const entries = attributes instanceof Map ? [...attributes] : Object.entries(attributes)
  const sorted = new Map(entries.sort(([a], [b]) => compareUtf8(a, b)) as [string, Type][])
  const requiredNames = new Set(required)
  return {
    kind: 'object',
    attributes: sorted,
    ...(requiredNames.size > 0 && { required: requiredNames }),
  }
}

/** Returns true for equal types, regardless of which attributes are required. */
export function sameType(a: Type, b: Type): boolean {
  return matches(a, b, sameType)
}

/** Returns true when `actual` is `announced` with some type in the place of each `dynamic`, as cty's TestConformance does. */
export function conformsTo(actual: Type, announced: Type): boolean {
  return announced.kind === 'dynamic' || matches(actual, announced, conformsTo)
}

function matches(a: Type, b: Type, inner: (a: Type, b: Type) => boolean): boolean {
  if (a === b) return true
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'list':
    case 'set':
    case 'map':
      return inner(a.element, (b as CollectionType).element)
    case 'tuple': {
      const { elements } = b as TupleType
      return a.elements.length === elements.length && a.elements.every((each, index) => inner(each, elements[index]!))
    }
    case 'object': {
      const { attributes } = b as ObjectType
      if (a.attributes.size !== attributes.size) return false
      for (const [name, type] of a.attributes) {
        const other = attributes.get(name)
        if (other === undefined || !inner(type, other)) return false
      }
      return true
    }
    default:
      return true
  }
}

/** Returns true when the type contains `dynamic` at any depth. */
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

/** Formats a type in Terraform's syntax: `list(string)`, `object({a = number})`. */
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
