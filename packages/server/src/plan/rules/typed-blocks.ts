import {
  emptyObject,
  hasDynamic,
  isList,
  isObject,
  isUnknown,
  type ObjectType,
  objectType,
  type Type,
  Typed,
  tupleType,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'

/**
 * Blocks with dynamic attributes stand together in one value that carries the types of all of them. Opened, they are a
 * list or a map of blocks like any other, in which each dynamic attribute carries its own type. What is no such value is
 * given back as it is.
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

/** The inverse of openBlocks: the blocks in one value with all their types. */
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

const anything: Type = { kind: 'dynamic' }

function elementType(type: Type, index: number): Type {
  if (type.kind === 'tuple') return type.elements[index] ?? anything
  return type.kind === 'list' || type.kind === 'set' ? type.element : anything
}

function memberType(type: Type, name: string): Type {
  if (type.kind === 'object') return type.attributes.get(name) ?? anything
  return type.kind === 'map' ? type.element : anything
}
