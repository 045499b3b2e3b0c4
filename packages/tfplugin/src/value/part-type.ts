import { attributeStep, keyStep, type PathStep } from './path.ts'
import { dynamicType, type Type } from './type.ts'

/** The type of an element of a list, set or tuple; dynamic for other types. */
export function elementType(type: Type, index: number): Type {
  if (type.kind === 'tuple') return type.elements[index] ?? dynamicType
  return type.kind === 'list' || type.kind === 'set' ? type.element : dynamicType
}

/** The type of a member of an object or map; dynamic for other types. */
export function memberType(type: Type, name: string): Type {
  if (type.kind === 'object') return type.attributes.get(name) ?? dynamicType
  return type.kind === 'map' ? type.element : dynamicType
}

/** The path step to a member: a key of a map, otherwise an attribute. */
export function memberStep(type: Type, name: string): PathStep {
  return type.kind === 'map' ? keyStep(name) : attributeStep(name)
}
