import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import { mapSubschemas } from './schema-parts.ts'

/**
 * A schema as OpenAPI 2 can say it: no choices between schemas, no null, no defaults; and what clients of that version
 * trip over (fields or items of values without a type, lists without items) is left out, as kube-apiserver does.
 */
export function schemaV2(schema: OpenApiSchema, refer: Refer = () => undefined): OpenApiSchema {
  const { $ref, allOf, oneOf, anyOf, not, nullable, default: _, ...kept } = schema
  const referred = $ref ?? onlyReference(allOf)
  if (typeof referred === 'string') {
    const merged = kept.properties === undefined ? undefined : withFieldsOf(refer(referred), kept)
    return merged === undefined ? { ...withoutShape(kept), ...definitionReference(referred) } : schemaV2(merged, refer)
  }
  const type = nullable === true ? undefined : (kept.type ?? typeOfChoice(schema))
  const narrowed = withoutWhatTrips({ ...kept, ...(type !== undefined && { type }) }, type)
  return mapSubschemas(narrowed, (part) => schemaV2(part, refer))
}

/** Finds the schema of a definition; undefined when it is not known here. */
export type Refer = (name: string) => OpenApiSchema | undefined

// Fields beside those of a definition can't be said by a reference: both are written out.
function withFieldsOf(definition: OpenApiSchema | undefined, own: OpenApiSchema): OpenApiSchema | undefined {
  if (definition === undefined) return undefined
  const properties = { ...(definition.properties as object), ...(own.properties as object) }
  return { ...definition, ...own, properties }
}

// Clients refuse a reference that says more of its values than words.
function withoutShape({
  type,
  properties,
  items,
  additionalProperties,
  required,
  ...words
}: OpenApiSchema): OpenApiSchema {
  return words
}

/** The schema that is a definition. */
export function definitionReference(name: string): OpenApiSchema {
  return { $ref: `#/definitions/${name}` }
}

function onlyReference(allOf: unknown): string | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 1) return undefined
  return (allOf[0] as OpenApiSchema).$ref as string | undefined
}

// Quantities and numbers that may be strings are strings here; their format says the rest.
function typeOfChoice({ oneOf }: OpenApiSchema): string | undefined {
  if (!Array.isArray(oneOf)) return undefined
  return oneOf.some(({ type }: OpenApiSchema) => type === 'string') ? 'string' : undefined
}

function withoutWhatTrips(schema: OpenApiSchema, type: unknown): OpenApiSchema {
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

// A field that may be null may be missing for a client that knows no null.
function withoutNullable(required: unknown, properties: unknown): readonly string[] {
  if (!Array.isArray(required)) return []
  const known = (properties ?? {}) as Record<string, OpenApiSchema>
  return required.filter((name: string) => known[name]?.nullable !== true)
}

function isScalar(type: unknown): boolean {
  return type !== undefined && type !== 'object' && type !== 'array'
}
