import type { OpenApiSchema, ResourceType } from '@hykube/machinery/resource-type'
import { type Definition, typeDefinitions } from './definitions.ts'
import { type DocumentPart, entries, fields, value } from './document.ts'
import { isBrief, type Operation, type PathOperations, typeOperations } from './operations.ts'
import type { Parameter } from './parameters.ts'
import { mapSubschemas } from './schema-parts.ts'

/** The OpenAPI 3 document of one group-version. */
export function openApiV3(types: readonly ResourceType[], version: string): DocumentPart {
  return fields({
    openapi: value('3.0.0'),
    info: value({ title: 'Hykube', version }),
    paths: entries(paths(types)),
    components: fields({
      schemas: entries(schemas(types)),
      securitySchemes: value({ BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } }),
    }),
  })
}

function* paths(types: readonly ResourceType[]): Generator<[string, unknown]> {
  const brief = isBrief(types)
  for (const type of types) for (const each of typeOperations(type, brief)) yield [each.path, pathItem(each)]
}

function* schemas(types: readonly ResourceType[]): Generator<[string, unknown]> {
  for (const definition of typeDefinitions([types])) yield [definition.name, definitionSchema(definition)]
}

function pathItem({ parameters, operations }: PathOperations): unknown {
  return {
    ...Object.fromEntries(operations.map((each) => [each.method, operationItem(each)])),
    ...(parameters.length > 0 && { parameters: parameters.map(parameterItem) }),
  }
}

function operationItem(operation: Operation): unknown {
  const { kind, parameters, body, details } = operation
  const group = { 'x-kubernetes-group-version-kind': kind }
  if (details === undefined) return { ...briefRequest(operation), ...group }
  const { id, tag, action, answers, produces } = details
  return {
    tags: [tag],
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterItem) }),
    ...(body !== undefined && {
      requestBody: { content: content(body.media, body.definition), ...(body.required && { required: true }) },
    }),
    responses: {
      ...Object.fromEntries(
        answers.map(([code, definition]) => [code, { description: 'OK', content: content(produces, definition) }]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    ...group,
  }
}

// Only names of parameters and kinds of bodies.
function briefRequest({ parameters, body }: Operation): object {
  return {
    ...(parameters.length > 0 && { parameters: parameters.map(({ name, in: place }) => ({ name, in: place })) }),
    ...(body !== undefined && { requestBody: { content: content(body.media, body.definition) } }),
  }
}

// Repeated in each operation: kubectl searches for parameters by name and does not follow references.
function parameterItem({ name, in: place, type }: Parameter): unknown {
  return { name, in: place, ...(place === 'path' && { required: true }), schema: { type, uniqueItems: true } }
}

function content(media: readonly string[], definition: string | undefined): unknown {
  const described = definition === undefined ? {} : { schema: { $ref: reference(definition) } }
  return Object.fromEntries(media.map((each) => [each, described]))
}

function definitionSchema({ schema, kinds }: Definition): unknown {
  return { ...schemaItem(schema), ...(kinds.length > 0 && { 'x-kubernetes-group-version-kind': kinds }) }
}

function schemaItem(schema: OpenApiSchema): OpenApiSchema {
  if (typeof schema.$ref !== 'string') return mapSubschemas(schema, schemaItem)
  const { $ref, ...beside } = schema
  const referring = { $ref: reference($ref as string) }
  // Siblings of `$ref` are ignored, so the reference is wrapped in `allOf`.
  return Object.keys(beside).length === 0 ? referring : { allOf: [referring], ...mapSubschemas(beside, schemaItem) }
}

function reference(definition: string): string {
  return `#/components/schemas/${definition}`
}
