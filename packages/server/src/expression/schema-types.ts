import { getOwn, isJsonObject, JsonNumber, type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  type Type,
  timestampType,
} from './cel/check/types.ts'
import { durationFromText, timestampFromText } from './cel/evaluate/time.ts'
import { Duration, StructValue, Timestamp } from './cel/evaluate/values.ts'
import { expressionNameOf } from './field-name.ts'
import { type SchemaSizes, sizesOf } from './schema-sizes.ts'

/** The CEL type of a schema, the conversion of JSON values to it, and the sizes of its values. */
export interface SchemaType {
  /** The name of the type; types inside of it have longer names. */
  readonly name: string
  readonly type: Type
  readonly convert: (value: JsonValue) => unknown
  readonly sizes: SchemaSizes
}

type Nameless = Omit<SchemaType, 'name'>

/** `resource`: the schema of a whole object, whose apiVersion, kind and metadata are declared implicitly. */
export type Level = 'resource' | 'value'

/**
 * The CEL types of a schema and all its parts. Objects become structs with their declared fields. As in Kubernetes, values
 * without a declared type, such as unknown fields, can't be used in expressions.
 */
export class SchemaTypes {
  readonly #known = new Map<JsonSchema, SchemaType>()

  constructor(schema: JsonSchema, level: Level) {
    this.#typeOf(schema, level, 'selfType')
  }

  /** The type of a part for its own rules, which are never evaluated for null. Undefined if it has none. */
  typeOf(part: JsonSchema): SchemaType | undefined {
    return this.#known.get(part)
  }

  #typeOf(schema: JsonSchema, level: Level, name: string): SchemaType | undefined {
    const plain = this.#plainTypeOf(schema, level, name)
    if (plain === undefined) return undefined
    const made = { ...plain, name }
    this.#known.set(schema, made)
    if (schema.nullable !== true) return made
    const { convert } = made
    return { ...made, convert: (value) => (value === null ? null : convert(value)) }
  }

  #plainTypeOf(schema: JsonSchema, level: Level, name: string): Nameless | undefined {
    const isResource = level === 'resource' || schema['x-kubernetes-embedded-resource'] === true
    if (schema['x-kubernetes-int-or-string'] === true) return simple(schema, dynType, intOrString)
    switch (schema.type) {
      case 'object':
        return this.#objectType(schema, isResource, name)
      case 'array':
        return this.#listType(schema, name)
      case 'string':
        return stringTypeOf(schema)
      case 'integer':
        return simple(schema, intType, toInt)
      case 'number':
        return simple(schema, doubleType, toDouble)
      case 'boolean':
        return simple(schema, boolType, (value) => value)
      default:
        return isResource ? this.#objectType(schema, true, name) : undefined
    }
  }

  #listType(schema: JsonSchema, name: string): Nameless | undefined {
    const item = schema.items === undefined ? undefined : this.#typeOf(schema.items, 'value', `${name}.@idx`)
    if (item === undefined) return undefined
    return {
      type: listType(item.type),
      convert: (value) => (Array.isArray(value) ? value.map(item.convert) : value),
      sizes: sizesOf(schema, { items: item.sizes }),
    }
  }

  #objectType(schema: JsonSchema, isResource: boolean, name: string): Nameless | undefined {
    const additional = additionalSchema(schema)
    if (additional !== undefined && !isResource) return this.#mapType(schema, additional, name)
    const properties: Record<string, JsonSchema> = { ...schema.properties }
    if (isResource) {
      properties.apiVersion = { type: 'string' }
      properties.kind = { type: 'string' }
      properties.metadata = metadataSchema
    }
    return this.#structType(schema, properties, name)
  }

  #mapType(schema: JsonSchema, additional: JsonSchema, name: string): Nameless | undefined {
    const inner = this.#typeOf(additional, 'value', `${name}.@elem`)
    if (inner === undefined) return undefined
    return {
      type: mapType(stringType, inner.type),
      convert: (value) =>
        isJsonObject(value) ? new Map(Object.entries(value).map(([key, item]) => [key, inner.convert(item)])) : value,
      sizes: sizesOf(schema, { values: inner.sizes }),
    }
  }

  #structType(schema: JsonSchema, properties: Readonly<Record<string, JsonSchema>>, name: string): Nameless {
    const fields = new Map<string, Type>()
    const readers = new Map<string, FieldReader>()
    const sizes = new Map<string, SchemaSizes>()
    const typed: (readonly [string, JsonSchema, SchemaSizes])[] = []
    for (const [property, inner] of Object.entries(properties)) {
      const called = expressionNameOf(property)
      const made = this.#typeOf(inner, 'value', `${name}.${called ?? property}`)
      if (made === undefined) continue
      typed.push([property, inner, made.sizes])
      if (called === undefined) continue
      sizes.set(called, made.sizes)
      fields.set(called, made.type)
      readers.set(called, { property, convert: made.convert })
    }
    const type = structType(name, fields)
    return {
      type,
      convert: (value) => (isJsonObject(value) ? new SchemaObject(type, value, readers) : value),
      sizes: sizesOf(schema, { fields: sizes, properties: typed }),
    }
  }
}

const metadataSchema: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
}

interface FieldReader {
  readonly property: string
  readonly convert: (value: JsonValue) => unknown
}

/** An object whose fields are converted lazily. */
class SchemaObject extends StructValue {
  readonly type: Type
  readonly value: JsonObject
  readonly #readers: ReadonlyMap<string, FieldReader>
  readonly #known = new Map<string, unknown>()

  constructor(type: Type, value: JsonObject, readers: ReadonlyMap<string, FieldReader>) {
    super()
    this.type = type
    this.value = value
    this.#readers = readers
  }

  override get(name: string): unknown {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const reader = this.#readers.get(name)
    const raw = reader === undefined ? undefined : getOwn(this.value, reader.property)
    if (raw === undefined) return undefined
    const converted = reader!.convert(raw)
    this.#known.set(name, converted)
    return converted
  }

  override equals(other: StructValue): boolean {
    return other instanceof SchemaObject && jsonEquals(this.value, other.value)
  }

  override get size(): number {
    return Object.keys(this.value).length
  }
}

function simple(schema: JsonSchema, type: Type, convert: (value: JsonValue) => unknown): Nameless {
  return { type, convert, sizes: sizesOf(schema, {}) }
}

function stringTypeOf(schema: JsonSchema): Nameless {
  switch (schema.format) {
    case 'byte':
      return simple(schema, bytesType, (value) => Buffer.from(String(value), 'base64'))
    case 'date':
    case 'date-time':
      return simple(schema, timestampType, (value) => timestampOf(String(value)))
    case 'duration':
      return simple(schema, durationType, (value) => durationFromText(String(value)) ?? new Duration(0n))
    default:
      return simple(schema, stringType, (value) => value)
  }
}

// Schema validation has checked the format. It accepts a few more forms than CEL; those are parsed by Date.
function timestampOf(text: string): Timestamp {
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
  return timestampFromText(whole) ?? new Timestamp(BigInt(new Date(whole).getTime() || 0) * 1_000_000n)
}

function intOrString(value: JsonValue): unknown {
  return typeof value === 'string' ? value : toInt(value)
}

function toInt(value: JsonValue): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  return value instanceof JsonNumber && /^-?\d+$/.test(value.text) ? BigInt(value.text) : toDouble(value)
}

function toDouble(value: JsonValue): unknown {
  return value instanceof JsonNumber ? Number(value.text) : value
}
