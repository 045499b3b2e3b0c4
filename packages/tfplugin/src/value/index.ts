/** Values and types of the provider protocol: in memory, in msgpack and in JSON; schemas and their implied types. */
export { convertValue } from './convert.ts'
export { Decimal } from './decimal.ts'
export { emptyBlock, emptyNestedBlock } from './empty-value.ts'
export { equalValues } from './equal-values.ts'
export { attributeType, identityType, impliedType } from './implied-type.ts'
export { typeOf } from './infer-type.ts'
export { valueFromJson, valueToJson } from './json-codec.ts'
export { valueFromMsgpack, valueToMsgpack } from './msgpack-codec.ts'
export { elementType, memberStep, memberType, nestedType } from './part-type.ts'
export {
  attributeStep,
  indexStep,
  keyStep,
  type Path,
  type PathStep,
  pathToText,
  samePath,
  startsWithPath,
  valueAt,
} from './path.ts'
export type {
  Attribute,
  AttributeShape,
  Block,
  Documented,
  IdentitySchema,
  NestedBlock,
  Nesting,
  Schema,
} from './schema.ts'
export { canonicalSet } from './set-order.ts'
export {
  boolType,
  conformsTo,
  dynamicType,
  hasDynamic,
  listType,
  mapType,
  numberType,
  type ObjectType,
  objectType,
  sameType,
  setType,
  stringType,
  type TupleType,
  type Type,
  tupleType,
  typeToText,
} from './type.ts'
export { typeFromJson, typeToJson } from './type-json.ts'
export { isUnknown, type Refinement, Unknown, unknown } from './unknown.ts'
export {
  emptyObject,
  isList,
  isObject,
  Typed,
  type Value,
  type ValueList,
  type ValueObject,
  valueObject,
} from './value.ts'
export { ValueError } from './value-error.ts'
export { transformValue, walkValue } from './walk.ts'
export { isWhollyKnown } from './wholly-known.ts'
