import { expect, test } from 'vitest'
import { schemaV2 } from './schema-v2.ts'

test.each([
  ['references are to definitions', { $ref: 'a.B' }, { $ref: '#/definitions/a.B' }],
  [
    'siblings of a reference are kept, except defaults',
    { $ref: 'a.B', default: {}, 'x-kubernetes-patch-strategy': 'retainKeys' },
    { $ref: '#/definitions/a.B', 'x-kubernetes-patch-strategy': 'retainKeys' },
  ],
  [
    'a reference with additional fields is merged inline',
    { allOf: [{ $ref: 'a.B' }], description: 'x', properties: { a: { type: 'string' } }, required: ['a'] },
    { $ref: '#/definitions/a.B', description: 'x' },
  ],
  ['a wrapped reference is unwrapped', { allOf: [{ $ref: 'a.B' }] }, { $ref: '#/definitions/a.B' }],
  ['a quantity is a string', { oneOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'string' }],
  [
    'alternatives are dropped, their siblings are kept',
    { type: 'object', anyOf: [{ required: ['a'] }], properties: { a: { type: 'string', default: 'x' } } },
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  [
    'an integer or string keeps its extension and has no type',
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    { 'x-kubernetes-int-or-string': true },
  ],
  ['a nullable value has no type', { type: 'object', nullable: true, properties: { a: { type: 'string' } } }, {}],
  [
    'a nullable field is not required',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
    },
    { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
  ],
  [
    'open objects lose their fields and type',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} }, description: 'd' },
    { 'x-kubernetes-preserve-unknown-fields': true, description: 'd' },
  ],
  [
    'values without a type lose fields and items',
    { description: 'number', properties: { a: {} }, items: {} },
    { description: 'number' },
  ],
  ['lists without items have no type', { type: 'array' }, {}],
  [
    'a field may have the name of a keyword',
    { type: 'object', properties: { $ref: { type: 'string' }, default: { $ref: 'a.B' }, oneOf: { type: 'array' } } },
    {
      type: 'object',
      properties: { $ref: { type: 'string' }, default: { $ref: '#/definitions/a.B' }, oneOf: {} },
    },
  ],
])('%s', (_name, schema, expected) => {
  expect(schemaV2(schema)).toEqual(expected)
})
