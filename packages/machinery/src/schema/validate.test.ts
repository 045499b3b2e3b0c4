import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../json/index.ts'
import type { JsonSchema } from './json-schema.ts'
import { schemaValidator } from './validate.ts'

function at(path: string, schema: JsonSchema): JsonSchema {
  return path
    .split('.')
    .reduceRight<JsonSchema>((inner, name) => ({ type: 'object', properties: { [name]: inner } }), schema)
}

function told(schema: JsonSchema, value: JsonValue, old?: JsonValue): string[] {
  return schemaValidator(schema)
    .validate(value, old)
    .map((cause) => `${cause.field}: ${cause.message}`)
}

describe('an invalid value', () => {
  it.each<[JsonSchema, JsonValue, string]>([
    [{ type: 'integer' }, 'x', 'Invalid value: "string": spec.a in body must be of type integer: "string"'],
    [{ type: 'string' }, 1, 'Invalid value: "integer": spec.a in body must be of type string: "integer"'],
    [{ type: 'string' }, null, 'Invalid value: "null": spec.a in body must be of type string: "null"'],
    [
      { 'x-kubernetes-int-or-string': true },
      true,
      'Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"',
    ],
    [{ type: 'integer', minimum: 1 }, 0, 'Invalid value: 0: spec.a in body should be greater than or equal to 1'],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      1,
      'Invalid value: 1: spec.a in body should be greater than 1',
    ],
    [{ type: 'integer', maximum: 1 }, 2, 'Invalid value: 2: spec.a in body should be less than or equal to 1'],
    [{ type: 'number', multipleOf: 0.1 }, 0.25, 'Invalid value: 0.25: spec.a in body should be a multiple of 0.1'],
    [{ type: 'string', minLength: 2 }, '😀', 'Invalid value: "😀": spec.a in body should be at least 2 chars long'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'Too long: may not be more than 2 bytes'],
    [{ type: 'string', pattern: '^a$' }, 'b', `Invalid value: "b": spec.a in body should match '^a$'`],
    [{ type: 'string', format: 'ipv4' }, 'b', 'Invalid value: "b": spec.a in body must be of type ipv4: "b"'],
    [{ type: 'string', enum: ['x', 'y'] }, 'b', 'Unsupported value: "b": supported values: "x", "y"'],
    [{ type: 'array', items: {}, maxItems: 1 }, [1, 2], 'Too many: 2: must have at most 1 item'],
    [{ type: 'array', items: {}, minItems: 1 }, [], 'Invalid value: 0: spec.a in body should have at least 1 items'],
    [{ type: 'object', minProperties: 1 }, {}, 'Invalid value: 0: spec.a in body should have at least 1 properties'],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'Too many: 2: must have at most 1 item'],
  ])('%j %j', (schema, value, message) => {
    expect(told(at('spec.a', schema), { spec: { a: value } })).toEqual([`spec.a: ${message}`])
  })

  it('is reported twice when it is a fraction instead of an integer', () => {
    expect(told(at('spec.a', { type: 'integer' }), { spec: { a: 1.5 } })).toEqual([
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.a',
      'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"',
    ])
  })

  it.each<[JsonSchema, JsonValue, ...string[]]>([
    [
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec.a: Required value',
    ],
    [
      { anyOf: [{ properties: { a: { maximum: 0 } } }, { properties: { a: { maximum: 0 }, b: { maximum: 9 } } }] },
      { a: 1, b: 1 },
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec.a: Invalid value: 1: spec.a in body should be less than or equal to 0',
    ],
    [
      { anyOf: [{ required: ['c'] }, { properties: { a: { maximum: 0 } } }] },
      { a: 1, b: 1 },
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec.a: Invalid value: 1: spec.a in body should be less than or equal to 0',
    ],
    [
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.a: Required value',
    ],
    [
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 1 },
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [{ not: { required: ['a'] } }, { a: 1 }, '<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
    [
      { allOf: [{ required: ['a'] }] },
      {},
      'spec.a: Required value',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ],
    [
      { allOf: [{ required: ['a'] }, {}] },
      {},
      'spec.a: Required value',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
    ],
    [{ required: ['a'] }, {}, 'spec.a: Required value'],
  ])('%j %j', (schema, value, ...messages) => {
    expect(told(at('spec', { type: 'object', ...schema }), { spec: value })).toEqual(messages)
  })

  it('is reported with its path in lists and maps', () => {
    const schema = at('spec', { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } })
    expect(told(schema, { spec: [{}, { k: 1 }] })).toEqual([
      'spec[1].k: Invalid value: "integer": spec[1].k in body must be of type string: "integer"',
    ])
  })

  it('is reported once for each repeated item of a set or map', () => {
    const set = at('spec', { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' })
    expect(told(set, { spec: ['a', 'b', 'a', 'a'] })).toEqual(['spec[2]: Duplicate value: "a"'])
    const map = at('spec', {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
      },
    })
    expect(told(map, { spec: [{ port: 1 }, { port: 1, protocol: 'TCP' }] })).toEqual([
      'spec[1]: Duplicate value: {"port":1,"protocol":"TCP"}',
    ])
  })
})

describe('a valid value', () => {
  it.each<[JsonSchema, JsonValue]>([
    [{ type: 'string', nullable: true }, null],
    [{ 'x-kubernetes-int-or-string': true }, '5%'],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, { anything: [1] }],
    [{ type: 'string', format: 'no-such-format' }, 'x'],
    [{ type: 'string', pattern: '(?i)^A$' }, 'a'],
    [{ type: 'integer' }, 1],
    [{ type: 'number', multipleOf: 0.01 }, 0.07],
  ])('%j %j', (schema, value) => {
    expect(told(at('spec.a', schema), { spec: { a: value } })).toEqual([])
  })
})

describe('an update', () => {
  const schema = at('spec', {
    type: 'object',
    properties: {
      a: { type: 'string', maxLength: 1 },
      b: { type: 'string' },
      list: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 1 } } },
      },
    },
  })

  it('ignores problems of unchanged values', () => {
    expect(told(schema, { spec: { a: 'long', b: 'new' } }, { spec: { a: 'long', b: 'old' } })).toEqual([])
    expect(told(schema, { spec: { a: 'longer' } }, { spec: { a: 'long' } })).toHaveLength(1)
  })

  it('matches list items by their keys', () => {
    const old = { spec: { list: [{ name: 'x', size: 5 }] } }
    expect(told(schema, { spec: { list: [{ name: 'y' }, { name: 'x', size: 5 }] } }, old)).toEqual([])
    expect(told(schema, { spec: { list: [{ name: 'y', size: 5 }] } }, old)).toHaveLength(1)
  })
})
