import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import {
  type Block,
  Decimal,
  isList,
  isObject,
  isUnknown,
  type NestedBlock,
  type Type,
  Typed,
  typeToJson,
  type Value,
} from '@hykube/tfplugin/value'

/** How a text is written: as it is, or as the expression that it stands for. */
export type WriteText = (text: string) => string

/** A configuration as a person writes it in a specification. What is null is not written. */
export function writtenForm({ attributes, blocks }: Block, config: Value, text: WriteText): JsonObject {
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

/** A text in which nothing is taken for an expression. */
export function literalText(text: string): string {
  return text.replaceAll('${', () => '$${')
}

function blockForm({ block, nesting }: NestedBlock, value: Value, text: WriteText): JsonValue | undefined {
  if (value === null) return undefined
  if (isList(value))
    return value.length === 0 ? undefined : value.map((each) => writtenForm(block, each, text) as JsonValue)
  if (nesting !== 'map') {
    const written = writtenForm(block, value, text)
    return nesting === 'group' && Object.keys(written).length === 0 ? undefined : written
  }
  if (!isObject(value) || Object.keys(value).length === 0) return undefined
  return Object.fromEntries(Object.keys(value).map((key) => [key, writtenForm(block, value[key]!, text)]))
}

function plain(value: Value, text: WriteText): JsonValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return text(value)
  if (value instanceof Decimal) return value.toJSON() as JsonValue
  if (isUnknown(value)) return null
  if (value instanceof Typed) return typed(value, text)
  if (isList(value)) return value.map((each) => plain(each, text))
  return Object.fromEntries(Object.keys(value).map((key) => [key, plain(value[key]!, text)]))
}

// Where a type does not follow from how a value is written, it is said.
function typed({ type, value }: Typed, text: WriteText): JsonValue {
  const written = plain(value, text)
  return isInferred(type) ? written : { $type: JSON.parse(typeToJson(type)) as JsonValue, $value: written }
}

function isInferred(type: Type): boolean {
  if (type.kind === 'tuple') return type.elements.every(isInferred)
  if (type.kind === 'object') return [...type.attributes.values()].every(isInferred)
  return type.kind === 'string' || type.kind === 'number' || type.kind === 'bool'
}

// Nested attributes that are not given are left out, as those at the top are.
function withoutNulls(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutNulls)
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json as JsonObject).filter(([, value]) => value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutNulls(value)]))
}
