import { createHash } from 'node:crypto'
import type { OpenApi, OpenApiSchema } from '@hykube/machinery/resource-type'
import { kindLines } from './generated/kinds.generated.ts'
import { typeLines } from './generated/types.generated.ts'
import { type FieldFacts, type TypeFacts, type TypeRef, typeFacts } from './type-table.ts'

/** OpenAPI name, fingerprint and schemas of a built-in kind. */
export function builtInOpenApi(typeName: string): OpenApi {
  return {
    name: typeName,
    get fingerprint() {
      tablesHash ??= createHash('sha256').update(typeLines).update(kindLines).digest('hex')
      return `${typeName} ${tablesHash}`
    },
    definitions: () => ({ schema: openApiSchema(typeName)! }),
  }
}

let tablesHash: string | undefined

/** Returns the schema of one type, with references to others by name; undefined for unknown types. */
export function openApiSchema(typeName: string): OpenApiSchema | undefined {
  const facts = typeFacts(typeName)
  if (facts === undefined) return leafSchema(typeName)
  const fields = flatFields(facts)
  const required = fields.filter((field) => field.required).map((field) => field.name)
  return {
    type: 'object',
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    }),
    ...(required.length > 0 && { required }),
    ...(facts.atomic && { 'x-kubernetes-map-type': 'atomic' }),
    ...(facts.unions.length > 0 && { 'x-kubernetes-unions': facts.unions.map(unionSchema) }),
  }
}

const leafSchemas: Readonly<Record<string, OpenApiSchema>> = {
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Duration: { type: 'string' },
  Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  IntOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  RawExtension: { type: 'object' },
  FieldsV1: { type: 'object' },
  Patch: { type: 'object' },
  JSON: {},
  JSONSchemaPropsOrArray: {},
  JSONSchemaPropsOrBool: {},
  JSONSchemaPropsOrStringArray: {},
}

function leafSchema(typeName: string): OpenApiSchema | undefined {
  return typeName.startsWith('io.k8s.') ? leafSchemas[typeName.slice(typeName.lastIndexOf('.') + 1)] : undefined
}

function flatFields(facts: TypeFacts): FieldFacts[] {
  return facts.fields.flatMap((field) =>
    field.inline && field.type.kind === 'type' ? flatFields(typeFacts(field.type.name)!) : [field],
  )
}

function fieldSchema(field: FieldFacts): OpenApiSchema {
  const extensions = {
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.listMapKeys.length > 0 && { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.mapType !== undefined && { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategies.length > 0 && { 'x-kubernetes-patch-strategy': field.patchStrategies.join(',') }),
  }
  if (field.collection === 'list') return { type: 'array', items: elementSchema(field.type, true), ...extensions }
  if (field.collection === 'map') {
    return { type: 'object', additionalProperties: elementSchema(field.type, true), ...extensions }
  }
  const always = !field.pointer && (field.always || field.type.kind === 'type')
  const schema = elementSchema(field.type, always)
  return { ...schema, ...(field.default !== undefined && { default: field.default }), ...extensions }
}

function elementSchema(type: TypeRef, withDefault: boolean): OpenApiSchema {
  if (type.kind === 'scalar') return scalarSchema(type.scalar, withDefault)
  const listOf = typeFacts(type.name)?.listOf
  if (listOf !== undefined) return { type: 'array', items: elementSchema(listOf, true) }
  return { $ref: type.name, ...(withDefault && leafSchema(type.name) === undefined && { default: {} }) }
}

const scalarSchemas: Readonly<Record<string, OpenApiSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  uint32: { type: 'integer', format: 'int64' },
  uint64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  float: { type: 'number', format: 'float' },
  bytes: { type: 'string', format: 'byte' },
}

function scalarSchema(scalar: string, withDefault: boolean): OpenApiSchema {
  const schema = scalarSchemas[scalar]!
  if (!withDefault || scalar === 'bytes') return schema
  return { ...schema, default: scalar === 'string' ? '' : scalar === 'bool' ? false : 0 }
}

function unionSchema(union: TypeFacts['unions'][number]): OpenApiSchema {
  return {
    ...(union.discriminator !== undefined && { discriminator: union.discriminator }),
    'fields-to-discriminateBy': union.fields,
  }
}
