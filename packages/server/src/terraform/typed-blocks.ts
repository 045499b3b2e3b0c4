import {
  elementType,
  emptyObject,
  hasDynamic,
  isList,
  isObject,
  isUnknown,
  memberType,
  type ObjectType,
  objectType,
  type Type,
  Typed,
  tupleType,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'

/**
 * Blocks with dynamic attributes are encoded as one value that carries the types of all blocks. This converts them to a plain list or map of
 * blocks in which each dynamic attribute carries its own type. Any other value is returned unchanged.
 */
export function openBlocks(value: Value, element: ObjectType): Value {
  if (!(value instanceof Typed)) return value
  const { type, value: bare } = value
  if (isList(bare)) return bare.map((part, i) => open(part, elementType(type, i), element))
  if (!isObject(bare)) return bare
  const object = emptyObject()
  for (const key of Object.keys(bare)) object[key] = open(bare[key]!, memberType(type, key), element)
  return object
}

/** The inverse of openBlocks. */
export function closeBlocks(blocks: Value, element: ObjectType): Value {
  if (isList(blocks)) {
    const types = blocks.map((block) => concreteType(block, element))
    return new Typed(tupleType(types), blocks.map(bareValue))
  }
  if (!isObject(blocks)) return blocks
  const types = new Map(Object.keys(blocks).map((key) => [key, concreteType(blocks[key]!, element)]))
  return new Typed(objectType(types), bareValue(blocks) as ValueObject)
}

function open(value: Value, actual: Type, wanted: Type): Value {
  if (value === null || isUnknown(value)) return value
  if (wanted.kind === 'dynamic') return new Typed(actual, value as Exclude<Value, Typed>)
  if (wanted.kind !== 'object' || !isObject(value) || !hasDynamic(wanted)) return value
  const object = emptyObject()
  for (const [name, type] of wanted.attributes) object[name] = open(value[name] ?? null, memberType(actual, name), type)
  return object
}

function concreteType(value: Value, wanted: Type): Type {
  if (wanted.kind === 'dynamic') return value instanceof Typed ? value.type : wanted
  if (wanted.kind !== 'object' || !isObject(value) || !hasDynamic(wanted)) return wanted
  return objectType(
    new Map([...wanted.attributes].map(([name, type]) => [name, concreteType(value[name] ?? null, type)])),
  )
}

function bareValue(value: Value): Exclude<Value, Typed> {
  if (value instanceof Typed) return value.value
  if (isList(value)) return value.map(bareValue)
  if (!isObject(value)) return value
  const object = emptyObject()
  for (const name of Object.keys(value)) object[name] = bareValue(value[name]!)
  return object
}
