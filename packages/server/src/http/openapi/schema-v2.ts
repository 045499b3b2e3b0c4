import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import { mapSubschemas } from './schema-parts.ts'

/**
 * Converts a schema to OpenAPI 2, which has no alternatives, null or defaults. Constructs that clients of that version
 * reject (fields or items of values without a type, lists without items) are dropped, as in kube-apiserver.
 */
export function schemaV2(schema: OpenApiSchema, refer: Refer = () => undefined): OpenApiSchema {
  const { $ref, allOf, oneOf, anyOf, not, nullable, default: _, ...kept } = schema
  const referred = $ref ?? onlyReference(allOf)
  if (typeof referred === 'string') {
    const merged = kept.properties === undefined ? undefined : withFieldsOf(refer(referred), kept)
    return merged === undefined ? { ...withoutShape(kept), ...definitionReference(referred) } : schemaV2(merged, refer)
  }
  const type = nullable === true ? undefined : (kept.type ?? typeOfChoice(schema))
  const narrowed = withoutUnsupported({ ...kept, ...(type !== undefined && { type }) }, type)
  return mapSubschemas(narrowed, (part) => schemaV2(part, refer))
}

/** Looks up the schema of a definition; undefined when it is unknown. */
export type Refer = (name: string) => OpenApiSchema | undefined

// A reference cannot have additional fields, so both schemas are merged inline.
function withFieldsOf(definition: OpenApiSchema | undefined, own: OpenApiSchema): OpenApiSchema | undefined {
  if (definition === undefined) return undefined
  const properties = { ...(definition.properties as object), ...(own.properties as object) }
  return { ...definition, ...own, properties }
}

// Clients reject a reference with siblings other than descriptions.
function withoutShape({
  type,
  properties,
  items,
  additionalProperties,
  required,
  ...description
}: OpenApiSchema): OpenApiSchema {
  return description
}

/** Returns a schema that refers to a definition. */
export function definitionReference(name: string): OpenApiSchema {
  return { $ref: `#/definitions/${name}` }
}

function onlyReference(allOf: unknown): string | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 1) return undefined
  return (allOf[0] as OpenApiSchema).$ref as string | undefined
}

// Quantities and int-or-string become strings; the format tells the rest.
function typeOfChoice({ oneOf }: OpenApiSchema): string | undefined {
  if (!Array.isArray(oneOf)) return undefined
  return oneOf.some(({ type }: OpenApiSchema) => type === 'string') ? 'string' : undefined
}

function withoutUnsupported(schema: OpenApiSchema, type: unknown): OpenApiSchema {
  const { properties, items, type: _, required, ...rest } = schema
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (type === undefined || open) return { ...rest, ...(isScalar(type) && { type }) }
  if (type === 'array' && items === undefined) return rest
  const needed = withoutNullable(required, properties)
  return {
    ...rest,
    type,
    ...(items !== undefined && { items }),
    ...(properties !== undefined && { properties }),
    ...(needed.length > 0 && { required: needed }),
  }
}

// A nullable field is optional for a client without null.
function withoutNullable(required: unknown, properties: unknown): readonly string[] {
  if (!Array.isArray(required)) return []
  const known = (properties ?? {}) as Record<string, OpenApiSchema>
  return required.filter((name: string) => known[name]?.nullable !== true)
}

function isScalar(type: unknown): boolean {
  return type !== undefined && type !== 'object' && type !== 'array'
}
