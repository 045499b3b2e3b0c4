import type { GnosticField, GnosticMessage, GnosticType } from './message.ts'

/** Fields of `openapi.v3.Document` that our documents use. */
export const documentV3: GnosticMessage = {
  fields: {
    openapi: { number: 1, type: 'string' },
    info: { number: 2, type: () => info },
    paths: { number: 4, type: () => paths },
    components: { number: 5, type: () => components },
  },
}

const info: GnosticMessage = {
  fields: { title: { number: 1, type: 'string' }, version: { number: 6, type: 'string' } },
}

const paths: GnosticMessage = { fields: {}, named: { number: 1, type: () => pathItem } }

const components: GnosticMessage = {
  fields: {
    schemas: { number: 1, type: () => schemasByName },
    securitySchemes: { number: 7, type: () => securitySchemes },
  },
}

const pathItem: GnosticMessage = {
  fields: {
    get: { number: 4, type: () => operation },
    put: { number: 5, type: () => operation },
    post: { number: 6, type: () => operation },
    delete: { number: 7, type: () => operation },
    patch: { number: 10, type: () => operation },
    parameters: { number: 13, type: one({ number: 1, type: () => parameter }), repeated: true },
  },
}

const operation: GnosticMessage = {
  fields: {
    tags: { number: 1, type: 'string', repeated: true },
    operationId: { number: 5, type: 'string' },
    parameters: { number: 6, type: one({ number: 1, type: () => parameter }), repeated: true },
    requestBody: { number: 7, type: one({ number: 1, type: () => requestBody }) },
    responses: { number: 8, type: () => responses },
  },
  extensions: 13,
}

const parameter: GnosticMessage = {
  fields: {
    name: { number: 1, type: 'string' },
    in: { number: 2, type: 'string' },
    required: { number: 4, type: 'bool' },
    schema: { number: 10, type: schemaOrReference() },
  },
}

const requestBody: GnosticMessage = {
  fields: { content: { number: 2, type: () => mediaTypes }, required: { number: 3, type: 'bool' } },
}

const responses: GnosticMessage = { fields: {}, named: { number: 2, type: one({ number: 1, type: () => response }) } }

const response: GnosticMessage = {
  fields: { description: { number: 1, type: 'string' }, content: { number: 3, type: () => mediaTypes } },
}

const mediaTypes: GnosticMessage = { fields: {}, named: { number: 1, type: () => mediaType } }

const mediaType: GnosticMessage = { fields: { schema: { number: 1, type: schemaOrReference() } } }

const schemasByName: GnosticMessage = { fields: {}, named: { number: 1, type: schemaOrReference() } }

const schema: GnosticMessage = {
  fields: {
    nullable: { number: 1, type: 'bool' },
    externalDocs: { number: 6, type: () => externalDocs },
    example: { number: 7, type: 'any' },
    title: { number: 9, type: 'string' },
    multipleOf: { number: 10, type: 'double' },
    maximum: { number: 11, type: 'double' },
    exclusiveMaximum: { number: 12, type: 'bool' },
    minimum: { number: 13, type: 'double' },
    exclusiveMinimum: { number: 14, type: 'bool' },
    maxLength: { number: 15, type: 'int64' },
    minLength: { number: 16, type: 'int64' },
    pattern: { number: 17, type: 'string' },
    maxItems: { number: 18, type: 'int64' },
    minItems: { number: 19, type: 'int64' },
    uniqueItems: { number: 20, type: 'bool' },
    maxProperties: { number: 21, type: 'int64' },
    minProperties: { number: 22, type: 'int64' },
    required: { number: 23, type: 'string', repeated: true },
    enum: { number: 24, type: 'any', repeated: true },
    type: { number: 25, type: 'string' },
    allOf: { number: 26, type: schemaOrReference(), repeated: true },
    oneOf: { number: 27, type: schemaOrReference(), repeated: true },
    anyOf: { number: 28, type: schemaOrReference(), repeated: true },
    not: { number: 29, type: () => schema },
    items: { number: 30, type: one({ number: 1, type: schemaOrReference() }) },
    properties: { number: 31, type: () => schemasByName },
    additionalProperties: { number: 32, type: schemaOrBoolean() },
    default: { number: 33, type: scalarDefault() },
    description: { number: 34, type: 'string' },
    format: { number: 35, type: 'string' },
  },
  extensions: 36,
}

const reference: GnosticMessage = { fields: { $ref: { number: 1, type: 'string' } } }

const externalDocs: GnosticMessage = {
  fields: { description: { number: 1, type: 'string' }, url: { number: 2, type: 'string' } },
}

const securitySchemes: GnosticMessage = {
  fields: {},
  named: { number: 1, type: one({ number: 1, type: () => securityScheme }) },
}

const securityScheme: GnosticMessage = {
  fields: {
    type: { number: 1, type: 'string' },
    name: { number: 3, type: 'string' },
    in: { number: 4, type: 'string' },
  },
}

function schemaOrReference(): GnosticType {
  const written: GnosticField = { number: 1, type: () => schema }
  const referred: GnosticField = { number: 2, type: () => reference }
  return { choose: (value) => (typeof (value as { $ref?: unknown }).$ref === 'string' ? referred : written) }
}

function schemaOrBoolean(): GnosticType {
  const nested: GnosticField = { number: 1, type: schemaOrReference() }
  const boolean: GnosticField = { number: 2, type: 'bool' }
  return { choose: (value) => (typeof value === 'boolean' ? boolean : nested) }
}

// The protobuf form supports only scalar defaults.
function scalarDefault(): GnosticType {
  const byType: Readonly<Record<string, GnosticField>> = {
    number: { number: 1, type: 'double' },
    boolean: { number: 2, type: 'bool' },
    string: { number: 3, type: 'string' },
  }
  return { choose: (value) => byType[typeof value] }
}

// A message that wraps one fixed field.
function one(field: GnosticField): GnosticType {
  return { choose: () => field }
}
