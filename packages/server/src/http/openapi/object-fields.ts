import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import { metaDefinitions } from './names.ts'
import { mapSubschemas } from './schema-parts.ts'

/** The schema of an object with the fields that every object has, also in objects that are embedded in it. */
export function withObjectFields(schema: OpenApiSchema | undefined): OpenApiSchema {
  // Clients take fields that are not among some properties for wrong, so where nothing is known nothing is said.
  if (schema === undefined) return { type: 'object' }
  return hasObjectMeta(schema) ? schema : addFields(withEmbedded(schema))
}

function withEmbedded(schema: OpenApiSchema): OpenApiSchema {
  return mapSubschemas(schema, (part) => {
    const inner = withEmbedded(part)
    return inner['x-kubernetes-embedded-resource'] === true ? addFields(inner) : inner
  })
}

function hasObjectMeta({ properties }: OpenApiSchema): boolean {
  const { metadata } = (properties ?? {}) as Record<string, OpenApiSchema>
  return metadata?.$ref === metaDefinitions.objectMeta
}

function addFields(schema: OpenApiSchema): OpenApiSchema {
  const properties = schema.properties as Record<string, OpenApiSchema> | undefined
  return {
    ...schema,
    type: 'object',
    properties: {
      ...properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: metaDefinitions.objectMeta },
    },
  }
}
