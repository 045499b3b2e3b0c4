import { getOwn, isJsonObject, JsonNumber, type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'
import type { Environment } from '@marcbachmann/cel-js'
import { expressionNameOf } from './field-name.ts'
import { durationFromFormat, timestampFromFormat } from './formatted-values.ts'
import { kubernetesEnvironment } from './kubernetes-environment.ts'
import { meterEnvironment, spend } from './metered-evaluator.ts'

/** A type of expressions made from a schema: its name there, and how values come in. */
export interface SchemaType {
  readonly name: string
  readonly convert: (value: JsonValue) => unknown
}

/** Whether a schema is that of a whole resource, whose apiVersion, kind and metadata are known without being declared. */
export type Level = 'resource' | 'value'

/**
 * The types of a schema and of all its parts, in one environment. Objects become types with their declared fields, read
 * when they are asked for; what a schema leaves open can't be named in expressions, as in Kubernetes.
 */
export class SchemaTypes {
  readonly #environment = kubernetesEnvironment()
  readonly #registration: Registration

  constructor(schema: JsonSchema, level: Level) {
    this.#registration = new Registration(this.#environment)
    this.#registration.typeOf(schema, level)
  }

  /** The type of a part; undefined when it has none. */
  typeOf(part: JsonSchema): SchemaType | undefined {
    return this.#registration.known.get(part)
  }

  /** An environment with these types and some variables, given with the names of their types. */
  environment(variables: Readonly<Record<string, string>>): Environment {
    const environment = this.#environment.clone()
    for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type)
    structs.set(environment, this.#registration.structs)
    meterEnvironment(environment)
    return environment
  }
}

/** The fields of an object type of an environment, each with the name of its type; undefined for any other type. */
export function fieldsOfType(environment: Environment, type: string): Readonly<Record<string, string>> | undefined {
  return structs.get(environment)?.get(type)
}

const structs = new WeakMap<Environment, Map<string, Readonly<Record<string, string>>>>()

const metadataSchema: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
}

class Registration {
  readonly #environment: Environment
  readonly structs = new Map<string, Readonly<Record<string, string>>>()
  /** The types of parts, as rules on them see them: a rule is never asked about a null. */
  readonly known = new Map<JsonSchema, SchemaType>()
  #count = 0

  constructor(environment: Environment) {
    this.#environment = environment
  }

  typeOf(schema: JsonSchema, level: Level): SchemaType | undefined {
    const type = this.#plainTypeOf(schema, level)
    if (type === undefined) return undefined
    this.known.set(schema, type)
    if (schema.nullable !== true) return type
    const { convert } = type
    return { name: 'dyn', convert: (value) => (value === null ? null : convert(value)) }
  }

  #plainTypeOf(schema: JsonSchema, level: Level): SchemaType | undefined {
    if (schema['x-kubernetes-int-or-string'] === true) return { name: 'dyn', convert: intOrString }
    const isResource = level === 'resource' || schema['x-kubernetes-embedded-resource'] === true
    switch (schema.type) {
      case 'object':
        return this.#objectType(schema, isResource)
      case 'array':
        return this.#listType(schema)
      case 'string':
        return stringType(schema.format)
      case 'integer':
        return { name: 'int', convert: toInt }
      case 'number':
        return { name: 'double', convert: toDouble }
      case 'boolean':
        return { name: 'bool', convert: (value) => value }
      default:
        return isResource ? this.#objectType(schema, true) : undefined
    }
  }

  #listType({ items }: JsonSchema): SchemaType | undefined {
    const item = items === undefined ? undefined : this.typeOf(items, 'value')
    if (item === undefined) return undefined
    const convert = (value: JsonValue) => (Array.isArray(value) ? value.map(item.convert) : value)
    return { name: `list<${item.name}>`, convert }
  }

  #objectType(schema: JsonSchema, isResource: boolean): SchemaType | undefined {
    const additional = additionalSchema(schema)
    if (additional !== undefined && !isResource) return this.#mapType(additional)
    const properties: Record<string, JsonSchema> = { ...schema.properties }
    if (isResource) {
      properties.apiVersion = { type: 'string' }
      properties.kind = { type: 'string' }
      properties.metadata = metadataSchema
    }
    return this.#structType(properties)
  }

  #mapType(additional: JsonSchema): SchemaType | undefined {
    const type = this.typeOf(additional, 'value')
    if (type === undefined) return undefined
    const convert = (value: JsonValue) =>
      isJsonObject(value) ? new Map(Object.entries(value).map(([key, item]) => [key, type.convert(item)])) : value
    return { name: `map<string, ${type.name}>`, convert }
  }

  #structType(properties: Readonly<Record<string, JsonSchema>>): SchemaType {
    const name = `object${this.#count++}`
    const fields: Record<string, string> = Object.create(null)
    const readers = new Map<string, FieldReader>()
    for (const [property, inner] of Object.entries(properties)) {
      const called = expressionNameOf(property)
      const type = called === undefined ? undefined : this.typeOf(inner, 'value')
      if (called === undefined || type === undefined) continue
      fields[called] = type.name
      readers.set(called, { property, convert: type.convert })
    }
    const Instance = class extends SchemaObject {
      constructor(value: JsonObject) {
        super(value, readers)
      }
    }
    this.#environment.registerType(name, { ctor: Instance, fields } as never)
    this.structs.set(name, fields)
    this.#environment.registerOperator(`${name} == ${name}`, sameObject)
    this.#environment.registerOperator(`${name} == null`, () => false)
    return { name, convert: (value) => (isJsonObject(value) ? new Instance(value) : value) }
  }
}

interface FieldReader {
  readonly property: string
  readonly convert: (value: JsonValue) => unknown
}

/** An object whose fields are converted when they are first read. A Map, because that is how field names stay harmless. */
class SchemaObject extends Map<string, unknown> {
  readonly value: JsonObject
  readonly #readers: ReadonlyMap<string, FieldReader>

  constructor(value: JsonObject, readers: ReadonlyMap<string, FieldReader>) {
    super()
    this.value = value
    this.#readers = readers
  }

  override get(name: string): unknown {
    const known = super.get(name)
    if (known !== undefined) return known
    const reader = this.#readers.get(name)
    const raw = reader === undefined ? undefined : getOwn(this.value, reader.property)
    if (raw === undefined) return undefined
    const converted = reader!.convert(raw)
    this.set(name, converted)
    return converted
  }
}

function sameObject(a: SchemaObject, b: SchemaObject): boolean {
  spend(Object.keys(a.value).length + Object.keys(b.value).length)
  return jsonEquals(a.value, b.value)
}

function stringType(format: string | undefined): SchemaType {
  switch (format) {
    case 'byte':
    case 'binary':
      return { name: 'bytes', convert: (value) => Buffer.from(String(value), 'base64') }
    case 'date':
    case 'date-time':
    case 'datetime':
      return { name: 'google.protobuf.Timestamp', convert: (value) => timestampFromFormat(String(value)) }
    case 'duration':
      return { name: 'google.protobuf.Duration', convert: (value) => durationFromFormat(String(value)) }
    default:
      return { name: 'string', convert: (value) => value }
  }
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
