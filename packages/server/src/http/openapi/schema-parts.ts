import type { OpenApiSchema } from '@hykube/machinery/resource-type'

/** Maps the direct subschemas of a schema. Values that are not schemas, such as defaults and enums, are kept. */
export function mapSubschemas(schema: OpenApiSchema, change: (schema: OpenApiSchema) => unknown): OpenApiSchema {
  const mapped: Record<string, unknown> = { ...schema }
  for (const key of ['items', 'additionalProperties', 'not'])
    if (isSchema(mapped[key])) mapped[key] = change(mapped[key])
  for (const key of ['allOf', 'oneOf', 'anyOf'])
    if (Array.isArray(mapped[key])) mapped[key] = (mapped[key] as OpenApiSchema[]).map(change)
  if (isSchema(mapped.properties))
    mapped.properties = Object.fromEntries(
      Object.entries(mapped.properties as Record<string, OpenApiSchema>).map(([name, part]) => [name, change(part)]),
    )
  return mapped
}

/** Calls `visit` for every definition that a schema refers to, at any depth. */
export function visitReferences(schema: OpenApiSchema, visit: (name: string) => void): void {
  if (typeof schema.$ref === 'string') visit(schema.$ref)
  for (const key of ['items', 'additionalProperties', 'not'])
    if (isSchema(schema[key])) visitReferences(schema[key], visit)
  for (const key of ['allOf', 'oneOf', 'anyOf'])
    if (Array.isArray(schema[key])) for (const part of schema[key]) visitReferences(part as OpenApiSchema, visit)
  if (isSchema(schema.properties))
    for (const part of Object.values(schema.properties)) visitReferences(part as OpenApiSchema, visit)
}

function isSchema(value: unknown): value is OpenApiSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
