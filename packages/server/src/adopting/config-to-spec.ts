import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import { attributeType, type Block, type NestedBlock } from '@hykube/tfplugin/schema'
import {
  Decimal,
  dynamicType,
  elementType,
  isList,
  isObject,
  isUnknown,
  memberType,
  type Type,
  Typed,
  typeToJson,
  type Value,
} from '@hykube/tfplugin/value'

/** Converts a string of a configuration to a string of a spec: escaped, or an expression that it stands for. */
export type WriteString = (text: string) => string

/** Converts a configuration value to the fields of a spec. Null values of attributes are omitted at every depth. */
export function configToSpec({ attributes, blocks }: Block, config: Value, text: WriteString): JsonObject {
  const spec: Record<string, JsonValue> = {}
  if (!isObject(config)) return spec
  for (const attribute of attributes) {
    const value = config[attribute.name] ?? null
    if (value !== null) spec[attribute.name] = plain(value, attributeType(attribute), text)
  }
  for (const block of blocks) {
    const written = blockForm(block, config[block.name] ?? null, text)
    if (written !== undefined) spec[block.name] = written
  }
  return spec
}

/** Escapes a string so that no part of it is read as an expression. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('${', () => '$${')
}

function blockForm({ block, nesting }: NestedBlock, value: Value, text: WriteString): JsonValue | undefined {
  if (value === null) return undefined
  if (isList(value))
    return value.length === 0 ? undefined : value.map((each) => configToSpec(block, each, text) as JsonValue)
  if (nesting !== 'map') {
    const written = configToSpec(block, value, text)
    return nesting === 'group' && Object.keys(written).length === 0 ? undefined : written
  }
  if (!isObject(value) || Object.keys(value).length === 0) return undefined
  return Object.fromEntries(Object.keys(value).map((key) => [key, configToSpec(block, value[key]!, text)]))
}

function plain(value: Value, type: Type, text: WriteString): JsonValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return text(value)
  if (value instanceof Decimal) return value.toJSON() as JsonValue
  if (isUnknown(value)) return null
  if (value instanceof Typed) return typed(value, text)
  if (isList(value)) return value.map((each, index) => plain(each, elementType(type, index), text))
  const members = type.kind === 'object' && Object.keys(value).filter((name) => value[name] !== null)
  return Object.fromEntries(
    (members || Object.keys(value)).map((name) => [name, plain(value[name]!, memberType(type, name), text)]),
  )
}

// Adds the type of a dynamic value where it can't be inferred from its JSON form: a map looks like an object, a set like a tuple.
function typed({ type, value }: Typed, text: WriteString): JsonValue {
  // The type of a dynamic object is inferred from its members, also from those that are null.
  const written = plain(value, dynamicType, text)
  return isInferred(type) ? written : { $type: JSON.parse(typeToJson(type)) as JsonValue, $value: written }
}

function isInferred(type: Type): boolean {
  if (type.kind === 'tuple') return type.elements.every(isInferred)
  if (type.kind === 'object') return [...type.attributes.values()].every(isInferred)
  return type.kind === 'string' || type.kind === 'number' || type.kind === 'bool'
}
