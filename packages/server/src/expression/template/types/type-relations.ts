import { dynamicType, sameType, type Type } from '@hykube/tfplugin/value'

/** Returns whether some values of a type can be converted to another type; false only if every conversion fails. */
export function canConvert(from: Type, to: Type): boolean {
  if (from.kind === 'dynamic' || to.kind === 'dynamic' || from === to) return true
  switch (to.kind) {
    case 'string':
      return from.kind === 'string' || from.kind === 'number' || from.kind === 'bool'
    case 'number':
      return from.kind === 'number' || from.kind === 'string'
    case 'bool':
      return from.kind === 'bool' || from.kind === 'string'
    case 'list':
    case 'set':
      return elementTypes(from)?.every((element) => canConvert(element, to.element)) === true
    case 'tuple':
      return canConvertToTuple(from, to.elements)
    case 'map':
      return memberTypes(from)?.every((member) => canConvert(member, to.element)) === true
    case 'object':
      return canConvertToObject(from, to)
  }
}

/** The common type of two types: dynamic unless they are equal. */
export function commonType(a: Type, b: Type): Type {
  return sameType(a, b) ? a : dynamicType
}

/** The type of the elements of a list, set or tuple; undefined for any other type. */
export function elementTypeOf(type: Type): Type | undefined {
  const elements = elementTypes(type)
  return elements?.length === 0 ? dynamicType : elements?.reduce(commonType)
}

/** The type of the members of a map or object; undefined for any other type. */
export function memberTypeOf(type: Type): Type | undefined {
  const members = memberTypes(type)
  return members?.length === 0 ? dynamicType : members?.reduce(commonType)
}

function elementTypes(type: Type): readonly Type[] | undefined {
  if (type.kind === 'list' || type.kind === 'set') return [type.element]
  return type.kind === 'tuple' ? type.elements : undefined
}

function memberTypes(type: Type): readonly Type[] | undefined {
  if (type.kind === 'map') return [type.element]
  return type.kind === 'object' ? [...type.attributes.values()] : undefined
}

function canConvertToTuple(from: Type, to: readonly Type[]): boolean {
  if (from.kind === 'tuple') {
    return from.elements.length === to.length && from.elements.every((element, i) => canConvert(element, to[i]!))
  }
  const element = elementTypeOf(from)
  return element !== undefined && to.every((each) => canConvert(element, each))
}

function canConvertToObject(from: Type, to: Extract<Type, { kind: 'object' }>): boolean {
  if (from.kind === 'map') return [...to.attributes.values()].every((type) => canConvert(from.element, type))
  if (from.kind !== 'object') return false
  for (const [name, type] of to.attributes) {
    const given = from.attributes.get(name)
    if (given === undefined ? to.required?.has(name) === true : !canConvert(given, type)) return false
  }
  return true
}
