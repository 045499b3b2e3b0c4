import { additionalSchema, type JsonSchema } from './json-schema.ts'

/**
 * Converts a schema to OpenAPI v2, as kube-apiserver does. Keywords that v2 lacks (anyOf, oneOf, not, nullable) are left
 * out, and so are types that would make kubectl reject a nullable or open value.
 */
export function schemaToOpenApiV2(schema: JsonSchema): JsonSchema {
  const { allOf, anyOf, oneOf, not, nullable, items, properties, additionalProperties, required, type, ...rest } =
    schema
  const isOpen = rest['x-kubernetes-preserve-unknown-fields'] === true
  const isUntyped = nullable === true || isOpen
  const keptItems = isUntyped ? undefined : items
  const isBareList = type === 'array' && keptItems === undefined
  const keptType = nullable === true || isBareList || (isOpen && type === 'object') ? undefined : type
  const additional = additionalSchema(schema)
  const requiredFields = (required ?? []).filter((name) => properties?.[name]?.nullable !== true)
  return {
    ...rest,
    ...(keptType !== undefined && { type: keptType }),
    ...(keptItems !== undefined && { items: schemaToOpenApiV2(keptItems) }),
    ...(!isUntyped && properties !== undefined && { properties: mapped(properties) }),
    ...(additional !== undefined && { additionalProperties: schemaToOpenApiV2(additional) }),
    ...(additional === undefined && additionalProperties !== undefined && { additionalProperties }),
    ...(requiredFields.length > 0 && additional?.nullable !== true && { required: requiredFields }),
  }
}

function mapped(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, schemaToOpenApiV2(property)]))
}
