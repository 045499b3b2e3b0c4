import type { ResourceType } from '@hykube/machinery/resource-type'
import { type Definition, typeDefinitions } from './definitions.ts'
import { type DocumentPart, entries, fields, value } from './document.ts'
import { isBrief, type Operation, type PathOperations, typeOperations } from './operations.ts'
import { type Parameter, query } from './parameters.ts'
import { definitionReference, schemaV2 } from './schema-v2.ts'

/** The OpenAPI 2 document of all group-versions. */
export function openApiV2(versions: readonly (readonly ResourceType[])[], version: string): DocumentPart {
  return fields({
    swagger: value('2.0'),
    info: value({ title: 'Hykube', version }),
    paths: entries(versions.values().flatMap(paths)),
    definitions: entries(definitions(versions)),
    parameters: value(Object.fromEntries(sharedParameters.map((each) => [each.name, parameterItem(each)]))),
    securityDefinitions: value({ BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } }),
    security: value([{ BearerToken: [] }]),
  })
}

function* paths(types: readonly ResourceType[]): Generator<[string, unknown]> {
  const brief = isBrief(types)
  for (const type of types) for (const each of typeOperations(type, brief)) yield [each.path, pathItem(each)]
}

// One document holds all groups, and older clients read all of it for each command. Therefore the object fields of a
// large group are only in its OpenAPI 3 document.
function* definitions(versions: readonly (readonly ResourceType[])[]): Generator<[string, unknown]> {
  for (const definition of typeDefinitions(versions, 'names')) yield [definition.name, definitionSchema(definition)]
}

// Clients search for these two by name and do not follow references; other parameters are references.
const writtenOut: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation'])
const sharedParameters: readonly Parameter[] = [
  ...Object.values(query).filter(({ name }) => !writtenOut.has(name)),
  { name: 'name', in: 'path', type: 'string' },
  { name: 'namespace', in: 'path', type: 'string' },
]

function pathItem({ parameters, operations }: PathOperations): unknown {
  return {
    ...Object.fromEntries(operations.map((each) => [each.method, operationItem(each)])),
    ...(parameters.length > 0 && { parameters: parameters.map(parameterUse) }),
  }
}

function operationItem({ kind, parameters, body, details }: Operation): unknown {
  const bodies = body?.definition === undefined ? [] : [bodyParameter(body.definition, body.required)]
  const all = [...bodies, ...parameters.map(parameterUse)]
  return {
    ...(details !== undefined && { tags: [details.tag], operationId: details.id }),
    ...(details !== undefined || body !== undefined ? { consumes: body?.media ?? ['*/*'] } : {}),
    ...(details !== undefined && { produces: details.produces, schemes: ['https'] }),
    ...(all.length > 0 && { parameters: all }),
    responses: {
      ...Object.fromEntries(
        (details?.answers ?? []).map(([code, name]) => [
          code,
          { description: 'OK', schema: definitionReference(name) },
        ]),
      ),
      401: { description: 'Unauthorized' },
    },
    ...(details !== undefined && { 'x-kubernetes-action': details.action }),
    'x-kubernetes-group-version-kind': kind,
  }
}

function bodyParameter(definition: string, required: boolean): unknown {
  return { name: 'body', in: 'body', ...(required && { required }), schema: definitionReference(definition) }
}

function parameterUse(parameter: Parameter): unknown {
  return writtenOut.has(parameter.name) ? parameterItem(parameter) : { $ref: `#/parameters/${parameter.name}` }
}

function parameterItem({ name, in: place, type }: Parameter): unknown {
  return { name, in: place, type, uniqueItems: true, ...(place === 'path' && { required: true }) }
}

function definitionSchema({ schema, kinds, refer }: Definition): unknown {
  const converted = schemaV2(schema, refer)
  if (kinds.length === 0) return converted
  return { ...converted, type: 'object', 'x-kubernetes-group-version-kind': kinds }
}
