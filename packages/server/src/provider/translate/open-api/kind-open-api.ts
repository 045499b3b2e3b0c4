import type { OpenApi, OpenApiDefinitions, OpenApiSchema } from '@hykube/machinery/resource-type'
import type { KindMode } from '../kind-names.ts'
import type { ObjectStructure } from '../structure.ts'
import { reservedDefinition, reservedFields } from './reserved-schemas.ts'
import { SchemaWriter } from './schema-writer.ts'

/** The input of a kind's OpenAPI schema. */
export interface DocumentedKind {
  readonly type: string
  readonly mode: KindMode
  readonly description: () => string
  /** The hash of the provider's whole schema. */
  readonly schemaHash: string
  readonly structure: () => ObjectStructure
}

/** The OpenAPI schema of a kind. It is built for each requested document and not cached. */
export function kindOpenApi(kind: DocumentedKind): OpenApi {
  return {
    fingerprint: [documentFormat, kind.schemaHash, kind.mode, kind.type].join('/'),
    definitions: () => definitionsOf(kind),
  }
}

// Part of the fingerprint by which documents are cached. Increment it when the schema of an unchanged type changes.
const documentFormat = '3'

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
        // The fields that all kinds share are one definition in the document.
        allOf: [reservedFields(mode)],
        properties,
        ...(required.length > 0 && { required }),
      },
      status: writer.share(statusSchema(structure, writer), 'Status'),
    },
  }
}

// Lists only the read-only attributes, because settable ones are documented in spec. Most types share the same few.
function statusSchema(structure: ObjectStructure, writer: SchemaWriter): OpenApiSchema {
  return {
    allOf: [{ $ref: 'hk.Status' }],
    properties: {
      attributes: {
        description: 'The attributes returned by the provider.',
        properties: writer.readOnlyFields(structure),
      },
    },
  }
}
