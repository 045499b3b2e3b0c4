import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import type { Block, NestedBlock } from '@hykube/tfplugin/schema'
import { Decimal, isList, isObject, isUnknown, type Type, Typed, typeToJson, type Value } from '@hykube/tfplugin/value'

/** Converts a string of a configuration to a string of a spec: escaped, or an expression that it stands for. */
export type WriteString = (text: string) => string

/** Converts a configuration value to the fields of a spec. Null values are omitted. */
export function configToSpec({ attributes, blocks }: Block, config: Value, text: WriteString): JsonObject {
  const spec: Record<string, JsonValue> = {}
  if (!isObject(config)) return spec
  for (const { name, shape } of attributes) {
    const value = config[name] ?? null
    if (value !== null) spec[name] = shape.kind === 'plain' ? plain(value, text) : withoutNulls(plain(value, text))
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

function plain(value: Value, text: WriteString): JsonValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return text(value)
  if (value instanceof Decimal) return value.toJSON() as JsonValue
  if (isUnknown(value)) return null
  if (value instanceof Typed) return typed(value, text)
  if (isList(value)) return value.map((each) => plain(each, text))
  return Object.fromEntries(Object.keys(value).map((key) => [key, plain(value[key]!, text)]))
}

// Adds the type of a dynamic value where it can't be inferred from its JSON form: a map looks like an object, a set like a tuple.
function typed({ type, value }: Typed, text: WriteString): JsonValue {
  const written = plain(value, text)
  return isInferred(type) ? written : { $type: JSON.parse(typeToJson(type)) as JsonValue, $value: written }
}

function isInferred(type: Type): boolean {
  if (type.kind === 'tuple') return type.elements.every(isInferred)
  if (type.kind === 'object') return [...type.attributes.values()].every(isInferred)
  return type.kind === 'string' || type.kind === 'number' || type.kind === 'bool'
}

// Omits null members of nested attributes, as at the top level.
function withoutNulls(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutNulls)
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json as JsonObject).filter(([, value]) => value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutNulls(value)]))
}
