import type { GnosticField, GnosticMessage, GnosticType } from './message.ts'

/** Fields of `openapi.v2.Document` that our documents use. */
export const documentV2: GnosticMessage = {
  fields: {
    swagger: { number: 1, type: 'string' },
    info: { number: 2, type: () => info },
    paths: { number: 8, type: () => paths },
    definitions: { number: 9, type: () => schemasByName },
    parameters: { number: 10, type: () => parametersByName },
    security: { number: 12, type: () => securityRequirement, repeated: true },
    securityDefinitions: { number: 13, type: () => securityDefinitions },
  },
}

const info: GnosticMessage = {
  fields: { title: { number: 1, type: 'string' }, version: { number: 2, type: 'string' } },
}

const paths: GnosticMessage = { fields: {}, named: { number: 2, type: () => pathItem } }

const pathItem: GnosticMessage = {
  fields: {
    get: { number: 2, type: () => operation },
    put: { number: 3, type: () => operation },
    post: { number: 4, type: () => operation },
    delete: { number: 5, type: () => operation },
    patch: { number: 8, type: () => operation },
    parameters: { number: 9, type: usedParameter(), repeated: true },
  },
}

const operation: GnosticMessage = {
  fields: {
    tags: { number: 1, type: 'string', repeated: true },
    operationId: { number: 5, type: 'string' },
    produces: { number: 6, type: 'string', repeated: true },
    consumes: { number: 7, type: 'string', repeated: true },
    parameters: { number: 8, type: usedParameter(), repeated: true },
    responses: { number: 9, type: () => responses },
    schemes: { number: 10, type: 'string', repeated: true },
  },
  extensions: 13,
}

const responses: GnosticMessage = {
  fields: {},
  named: { number: 1, type: one({ number: 1, type: () => response }) },
}

const response: GnosticMessage = {
  fields: {
    description: { number: 1, type: 'string' },
    schema: { number: 2, type: one({ number: 1, type: () => schema }) },
  },
}

const parametersByName: GnosticMessage = { fields: {}, named: { number: 1, type: parameter() } }

// A parameter, or a reference to one.
function usedParameter(): GnosticType {
  const written: GnosticField = { number: 1, type: parameter() }
  const referred: GnosticField = { number: 2, type: () => jsonReference }
  return { choose: (value) => ('$ref' in (value as object) ? referred : written) }
}

function parameter(): GnosticType {
  const body: GnosticField = { number: 1, type: () => bodyParameter }
  const other: GnosticField = { number: 2, type: nonBodyParameter() }
  return { choose: (value) => (placeOf(value) === 'body' ? body : other) }
}

function nonBodyParameter(): GnosticType {
  const query: GnosticField = { number: 3, type: () => queryParameter }
  const path: GnosticField = { number: 4, type: () => pathParameter }
  return { choose: (value) => (placeOf(value) === 'query' ? query : path) }
}

function placeOf(value: unknown): unknown {
  return (value as { in?: unknown }).in
}

const bodyParameter: GnosticMessage = {
  fields: {
    name: { number: 2, type: 'string' },
    in: { number: 3, type: 'string' },
    required: { number: 4, type: 'bool' },
    schema: { number: 5, type: () => schema },
  },
}

const queryParameter: GnosticMessage = {
  fields: {
    required: { number: 1, type: 'bool' },
    in: { number: 2, type: 'string' },
    name: { number: 4, type: 'string' },
    type: { number: 6, type: 'string' },
    uniqueItems: { number: 20, type: 'bool' },
  },
}

const pathParameter: GnosticMessage = {
  fields: {
    required: { number: 1, type: 'bool' },
    in: { number: 2, type: 'string' },
    name: { number: 4, type: 'string' },
    type: { number: 5, type: 'string' },
    uniqueItems: { number: 19, type: 'bool' },
  },
}

const jsonReference: GnosticMessage = { fields: { $ref: { number: 1, type: 'string' } } }

const schemasByName: GnosticMessage = { fields: {}, named: { number: 1, type: () => schema } }

const schema: GnosticMessage = {
  fields: {
    $ref: { number: 1, type: 'string' },
    format: { number: 2, type: 'string' },
    title: { number: 3, type: 'string' },
    description: { number: 4, type: 'string' },
    multipleOf: { number: 6, type: 'double' },
    maximum: { number: 7, type: 'double' },
    exclusiveMaximum: { number: 8, type: 'bool' },
    minimum: { number: 9, type: 'double' },
    exclusiveMinimum: { number: 10, type: 'bool' },
    maxLength: { number: 11, type: 'int64' },
    minLength: { number: 12, type: 'int64' },
    pattern: { number: 13, type: 'string' },
    maxItems: { number: 14, type: 'int64' },
    minItems: { number: 15, type: 'int64' },
    uniqueItems: { number: 16, type: 'bool' },
    maxProperties: { number: 17, type: 'int64' },
    minProperties: { number: 18, type: 'int64' },
    required: { number: 19, type: 'string', repeated: true },
    enum: { number: 20, type: 'any', repeated: true },
    additionalProperties: { number: 21, type: schemaOrBoolean() },
    type: { number: 22, type: one({ number: 1, type: 'string', repeated: true }) },
    items: { number: 23, type: one({ number: 1, type: () => schema }) },
    properties: { number: 25, type: () => schemasByName },
    externalDocs: { number: 29, type: () => externalDocs },
    example: { number: 30, type: 'any' },
  },
  extensions: 31,
}

const externalDocs: GnosticMessage = {
  fields: { description: { number: 1, type: 'string' }, url: { number: 2, type: 'string' } },
}

function schemaOrBoolean(): GnosticType {
  const nested: GnosticField = { number: 1, type: () => schema }
  const boolean: GnosticField = { number: 2, type: 'bool' }
  return { choose: (value) => (typeof value === 'boolean' ? boolean : nested) }
}

const securityDefinitions: GnosticMessage = {
  fields: {},
  named: { number: 1, type: one({ number: 2, type: () => apiKeySecurity }) },
}

const apiKeySecurity: GnosticMessage = {
  fields: {
    type: { number: 1, type: 'string' },
    name: { number: 2, type: 'string' },
    in: { number: 3, type: 'string' },
  },
}

const securityRequirement: GnosticMessage = {
  fields: {},
  named: { number: 1, type: one({ number: 1, type: 'string', repeated: true }) },
}

// A message that wraps one fixed field.
function one(field: GnosticField): GnosticType {
  return { choose: () => field }
}
