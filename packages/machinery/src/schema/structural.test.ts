import { describe, expect, it } from 'vitest'
import type { JsonSchema } from './json-schema.ts'
import { rulesValidator } from './rules.ts'
import { schemaToTypeShape } from './schema-shape.ts'
import { validateStructuralSchema } from './structural.ts'
import type { ListShape, StructShape } from './type-shape.ts'

const field = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: schema } })

describe('validateStructuralSchema', () => {
  it.each<[JsonSchema, string]>([
    [{}, 's.type: Required value: must not be empty at the root'],
    [{ type: 'string' }, 's.type: Invalid value: "string": must be object at the root'],
    [field({}), 's.properties[a].type: Required value: must not be empty for specified object fields'],
    [field({ type: 'array' }), 's.properties[a].items: Required value: must be specified'],
    [
      field({ type: 'array', items: {} }),
      's.properties[a].items.type: Required value: must not be empty for specified array items',
    ],
    [
      field({ type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } }),
      's.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
    [
      field({ type: 'string', allOf: [{ type: 'string' }] }),
      's.properties[a].allOf[0].type: Forbidden: must be empty to be structural',
    ],
    [
      { type: 'object', anyOf: [{ properties: { b: {} } }] },
      's.properties[b]: Required value: because it is defined in s.anyOf[0].properties[b]',
    ],
    [
      field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
      's.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
    [
      field({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' }),
      's.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
    [
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  ])('rejects %j', (schema, message) => {
    const told = validateStructuralSchema(schema, 's').map((cause) => `${cause.field}: ${cause.message}`)
    expect(told).toEqual([message])
  })

  it('accepts a structural schema', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        open: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
        metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } },
      },
    }
    expect(validateStructuralSchema(schema, 's')).toEqual([])
  })
})

describe('the shape of a schema', () => {
  it('follows the x-kubernetes extensions', () => {
    const shape = schemaToTypeShape({
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            ports: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['port', 'protocol'],
              items: { type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } },
            },
            atom: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
            open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    }) as StructShape
    const spec = shape.field('spec') as StructShape
    expect(spec).toBe(shape.field('spec'))
    expect(spec.field('ports') as ListShape).toMatchObject({ listType: 'map', listMapKeyDefaults: { protocol: 'TCP' } })
    expect(spec.field('atom')).toMatchObject({ kind: 'map', mapType: 'atomic' })
    expect((spec.field('open') as StructShape).unknownFields).toBeDefined()
    expect((shape.field('metadata') as StructShape).field('labels')?.kind).toBe('map')
    expect(shape.field('nothing')).toBeUndefined()
  })
})

describe('rules', () => {
  it('are evaluated with the value, the old value and the path', () => {
    const schema = field({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: { name: { type: 'string' } },
        'x-kubernetes-validations': [{ rule: 'true' }],
      },
    })
    const calls: unknown[] = []
    const validate = rulesValidator(schema, () => (self, old, path) => {
      calls.push([self, old, path])
      return [{ reason: 'FieldValueInvalid', field: path, message: 'no' }]
    })!
    expect(validate({ a: [{ name: 'x' }, { name: 'y', v: 2 }] }, { a: [{ name: 'y', v: 1 }] })).toHaveLength(2)
    expect(calls).toEqual([
      [{ name: 'x' }, undefined, 'a[0]'],
      [{ name: 'y', v: 2 }, { name: 'y', v: 1 }, 'a[1]'],
    ])
  })

  it('have no validator when the schema has none', () => {
    expect(rulesValidator(field({ type: 'string' }), () => () => [])).toBeUndefined()
  })
})
