import { type FieldFacts, type TypeFacts, type TypeRef, typeFacts } from './type-table.ts'

/** A JSON schema as OpenAPI has it. */
export type OpenApiSchema = Readonly<Record<string, unknown>>

/**
 * The schema of one type. Other types are referred to by name: `reference` says how (`#/definitions/…` in v2,
 * `#/components/schemas/…` in v3).
 */
export function openApiSchema(typeName: string, reference: (typeName: string) => string): OpenApiSchema {
  const leaf = leafSchemas[typeName.slice(typeName.lastIndexOf('.') + 1)]
  if (leaf !== undefined) return leaf
  const facts = typeFacts(typeName)
  if (facts === undefined) throw new Error(`no table for type ${typeName}: run \`npm run kinds\``)
  const fields = flatFields(facts)
  const required = fields.filter((field) => field.required).map((field) => field.name)
  return {
    type: 'object',
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, reference)])),
    }),
    ...(required.length > 0 && { required }),
    ...(facts.atomic && { 'x-kubernetes-map-type': 'atomic' }),
    ...(facts.unions.length > 0 && { 'x-kubernetes-unions': facts.unions.map(unionSchema) }),
  }
}

/** The names of the types that a type's schema refers to. */
export function referredTypes(typeName: string): string[] {
  const facts = typeFacts(typeName)
  if (facts === undefined) return []
  return flatFields(facts).flatMap(({ type }) =>
    type.kind === 'type' && typeFacts(type.name)?.listOf === undefined ? [type.name] : [],
  )
}

const leafSchemas: Readonly<Record<string, OpenApiSchema>> = {
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Duration: { type: 'string' },
  Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  IntOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  RawExtension: { type: 'object' },
  FieldsV1: { type: 'object' },
  JSON: {},
  JSONSchemaPropsOrArray: {},
  JSONSchemaPropsOrBool: {},
  JSONSchemaPropsOrStringArray: {},
}

function flatFields(facts: TypeFacts): FieldFacts[] {
  return facts.fields.flatMap((field) =>
    field.inline && field.type.kind === 'type' ? flatFields(typeFacts(field.type.name)!) : [field],
  )
}

function fieldSchema(field: FieldFacts, reference: (typeName: string) => string): OpenApiSchema {
  const extensions = {
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.listMapKeys.length > 0 && { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.mapType !== undefined && { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategies.length > 0 && { 'x-kubernetes-patch-strategy': field.patchStrategies.join(',') }),
  }
  if (field.collection === 'list')
    return { type: 'array', items: collectionElement(field.type, reference), ...extensions }
  if (field.collection === 'map') {
    return { type: 'object', additionalProperties: collectionElement(field.type, reference), ...extensions }
  }
  const always = !field.pointer && (field.always || field.type.kind === 'type')
  const schema = elementSchema(field.type, reference, always)
  return { ...schema, ...(field.default !== undefined && { default: field.default }), ...extensions }
}

// Without a default beside it, an element is the bare reference.
function collectionElement(type: TypeRef, reference: (typeName: string) => string): OpenApiSchema {
  const isBare = type.kind === 'type' && isScalarLeaf(type.name)
  return isBare ? { $ref: reference(type.name) } : elementSchema(type, reference, true)
}

function elementSchema(type: TypeRef, reference: (typeName: string) => string, withDefault: boolean): OpenApiSchema {
  if (type.kind === 'scalar') return scalarSchema(type.scalar, withDefault)
  const listOf = typeFacts(type.name)?.listOf
  if (listOf !== undefined) return { type: 'array', items: elementSchema(listOf, reference, true) }
  const named = { $ref: reference(type.name) }
  // A reference can't have anything beside it, so it is wrapped when there is a default to say.
  return withDefault && !isScalarLeaf(type.name) ? { allOf: [named], default: {} } : { allOf: [named] }
}

function isScalarLeaf(typeName: string): boolean {
  return leafSchemas[typeName.slice(typeName.lastIndexOf('.') + 1)] !== undefined
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
