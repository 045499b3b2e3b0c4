import { additionalSchema, type JsonSchema } from './json-schema.ts'

/** A schema as OpenAPI v2 can say it: what v2 lacks, and what kubectl's reader of it stumbles over, is left out. */
export function schemaToOpenApiV2(schema: JsonSchema): JsonSchema {
  const { allOf, anyOf, oneOf, not, nullable, items, properties, additionalProperties, required, type, ...rest } =
    schema
  const isOpen = rest['x-kubernetes-preserve-unknown-fields'] === true
  const isUntyped = nullable === true || isOpen
  const keptItems = isUntyped ? undefined : items
  const isBareList = type === 'array' && keptItems === undefined
  const keptType = nullable === true || isBareList || (isOpen && type === 'object') ? undefined : type
  const additional = additionalSchema(schema)
  const demanded = (required ?? []).filter((name) => properties?.[name]?.nullable !== true)
  return {
    ...rest,
    ...(keptType !== undefined && { type: keptType }),
    ...(keptItems !== undefined && { items: schemaToOpenApiV2(keptItems) }),
    ...(!isUntyped && properties !== undefined && { properties: mapped(properties) }),
    ...(additional !== undefined && { additionalProperties: schemaToOpenApiV2(additional) }),
    ...(additional === undefined && additionalProperties !== undefined && { additionalProperties }),
    ...(demanded.length > 0 && additional?.nullable !== true && { required: demanded }),
  }
}

function mapped(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, schemaToOpenApiV2(property)]))
}
