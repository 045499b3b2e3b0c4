import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import { additionalSchema, type JsonSchema } from './json-schema.ts'

/**
 * Sets the defaults of a schema. A null in a field that is not nullable counts as absent: it is replaced by the default, or
 * removed when there is none. Returns the same value when nothing changed.
 */
export function setSchemaDefaults(schema: JsonSchema, value: JsonValue): JsonValue {
  const setDefaults = compile(schema)
  return setDefaults === undefined ? value : setDefaults(value)
}

type SetDefaults = (value: JsonValue) => JsonValue

const compiled = new WeakMap<JsonSchema, { readonly setDefaults: SetDefaults | undefined }>()

// Returns undefined for a schema without objects inside, which has nothing to default.
function compile(schema: JsonSchema): SetDefaults | undefined {
  const known = compiled.get(schema)
  if (known !== undefined) return known.setDefaults
  const setDefaults = schema.items === undefined ? compileObject(schema) : compileList(schema.items)
  compiled.set(schema, { setDefaults })
  return setDefaults
}

function compileList(items: JsonSchema): SetDefaults | undefined {
  const inner = compile(items)
  if (inner === undefined) return undefined
  return (value) => {
    if (!Array.isArray(value)) return value
    const changed = value.map(inner)
    return changed.some((item, index) => item !== value[index]) ? changed : value
  }
}

interface Field {
  readonly inner: SetDefaults | undefined
  readonly nullable: boolean
  readonly default: JsonValue | undefined
}

function compileObject(schema: JsonSchema): SetDefaults | undefined {
  const properties = Object.entries(schema.properties ?? {})
  const additional = additionalSchema(schema)
  if (properties.length === 0 && additional === undefined) return undefined
  const fields = new Map(properties.map(([name, property]) => [name, fieldOf(property)]))
  const other = additional === undefined ? undefined : fieldOf(additional)
  const withDefault = [...fields].filter(([, field]) => field.default !== undefined)
  return (value) => (isJsonObject(value) ? fillObject(value, fields, other, withDefault) : value)
}

// A field without a type accepts null like any other value.
function fieldOf(schema: JsonSchema): Field {
  const isAny = schema.type === undefined && schema['x-kubernetes-int-or-string'] !== true
  return { inner: compile(schema), nullable: schema.nullable === true || isAny, default: schema.default }
}

// A default is itself completed with the defaults inside it.
function fillObject(
  value: JsonObject,
  fields: ReadonlyMap<string, Field>,
  other: Field | undefined,
  withDefault: readonly (readonly [string, Field])[],
): JsonObject {
  let result: JsonObject | undefined
  const set = (name: string, filled: JsonValue): void => {
    result ??= { ...value }
    setOwn(result, name, filled)
  }
  for (const [name, field] of withDefault) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    if (given === undefined || (given === null && !field.nullable)) {
      const filled = copyOf(field.default!)
      set(name, field.inner?.(filled) ?? filled)
    }
  }
  for (const name of Object.keys(value)) {
    const field = fields.get(name) ?? other
    if (field === undefined) continue
    const given = value[name]!
    if (given === null) {
      if (field.nullable || field.default !== undefined) continue
      result ??= { ...value }
      delete result[name]
    } else if (field.inner !== undefined) {
      const filled = field.inner(given)
      if (filled !== given) set(name, filled)
    }
  }
  return result ?? value
}

// Objects and lists are copied, so that objects do not share a default; scalars need no copy.
function copyOf(value: JsonValue): JsonValue {
  return typeof value === 'object' ? structuredClone(value) : value
}
