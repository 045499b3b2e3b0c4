import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import { metaDefinitions } from './names.ts'
import { mapSubschemas } from './schema-parts.ts'

/** Adds the fields that every object has to a schema, also in embedded objects. */
export function withObjectFields(schema: OpenApiSchema | undefined): OpenApiSchema {
  // Clients reject fields that are missing in `properties`, so a schema without known fields has no properties.
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
