/** Values and types of the provider protocol: in memory, in msgpack and in JSON. */
export { convertValue } from './convert.ts'
export { Decimal } from './decimal.ts'
export { equalValues } from './equal-values.ts'
export { typeOf } from './infer-type.ts'
export { valueFromJson, valueToJson } from './json-codec.ts'
export { valueFromMsgpack, valueToMsgpack } from './msgpack-codec.ts'
export { elementType, memberStep, memberType } from './part-type.ts'
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
