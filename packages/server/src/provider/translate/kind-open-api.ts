import type { OpenApi, OpenApiDefinitions, OpenApiSchema } from '@hykube/machinery/resource-type'
import type { KindMode } from './kind-names.ts'
import { reservedDefinition, reservedFields } from './reserved-schemas.ts'
import { SchemaWriter } from './schema-writer.ts'
import type { ObjectStructure } from './structure.ts'

/** What a kind's document is made from. */
export interface DocumentedKind {
  readonly type: string
  readonly mode: KindMode
  readonly description: () => string
  /** The hash of the provider's whole schema. */
  readonly schemaHash: string
  readonly structure: () => ObjectStructure
}

/** What OpenAPI documents say of a kind: its schema, made when a document is asked for, and not kept. */
export function kindOpenApi(kind: DocumentedKind): OpenApi {
  return {
    fingerprint: [documentFormat, kind.schemaHash, kind.mode, kind.type].join('/'),
    definitions: () => definitionsOf(kind),
  }
}

// To be raised whenever the schema of the same type comes out differently.
const documentFormat = '2'

function definitionsOf({ mode, description, structure }: DocumentedKind): OpenApiDefinitions {
  const writer = new SchemaWriter()
  const schema = objectSchema(structure(), mode, description(), writer)
  return { schema, definition: (name) => reservedDefinition(name) ?? writer.definition(name) }
}

function objectSchema(
  structure: ObjectStructure,
  mode: KindMode,
  description: string,
  writer: SchemaWriter,
): OpenApiSchema {
  const { properties, required } = writer.fields(structure, 'spec')
  return {
    type: 'object',
    ...(description !== '' && { description }),
    properties: {
      spec: {
        // What every kind has besides attributes is said once for all of them.
        allOf: [reservedFields(mode)],
        properties,
        ...(required.length > 0 && { required }),
      },
      status: writer.share(statusSchema(structure, writer), 'Status'),
    },
  }
}

// Attributes that users write are described in spec; here are those that the provider decides, for most types the same few.
function statusSchema(structure: ObjectStructure, writer: SchemaWriter): OpenApiSchema {
  return {
    allOf: [{ $ref: 'hk.Status' }],
    properties: {
      attributes: { description: 'What the provider returned.', properties: writer.decidedFields(structure) },
    },
  }
}
