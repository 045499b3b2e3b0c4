import { boolType, dynamicType, numberType, objectType, stringType, type Type, tupleType } from '@hykube/tfplugin/value'

/** Returns the Terraform type of parsed JSON: objects and tuples, because elements may differ in type. */
export function jsonType(parsed: unknown): Type {
  switch (typeof parsed) {
    case 'string':
      return stringType
    case 'number':
      return numberType
    case 'boolean':
      return boolType
    default:
      if (parsed === null || parsed === undefined) return dynamicType
      if (Array.isArray(parsed)) return tupleType(parsed.map(jsonType))
      return objectType(new Map(Object.entries(parsed).map(([name, part]) => [name, jsonType(part)])))
  }
}
