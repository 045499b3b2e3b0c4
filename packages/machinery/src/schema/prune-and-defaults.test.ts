import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../json/index.ts'
import type { JsonSchema } from './json-schema.ts'
import { pruneObject } from './prune.ts'
import { setSchemaDefaults } from './set-defaults.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        known: { type: 'string', default: 'd' },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { typed: { type: 'object', properties: { a: { type: 'string' } } } },
        },
        map: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { x: { type: 'integer', default: 1 } } },
        },
        list: { type: 'array', items: { type: 'object', properties: { x: { type: 'integer', default: 1 } } } },
        embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
        nullable: { type: 'string', nullable: true, default: 'n' },
      },
    },
  },
}

describe('pruning', () => {
  it('removes unknown fields and returns their paths', () => {
    const object = {
      apiVersion: 'a/v1',
      kind: 'A',
      metadata: { name: 'a', foo: 1, ownerReferences: [{ uid: 'u', bar: 1 }] },
      top: 1,
      spec: {
        known: 'a',
        unknown: 1,
        free: { anything: { at: 'all' }, typed: { a: 'a', b: 1 } },
        map: { k: { x: 1, y: 2 } },
        list: [{ x: 1 }, { y: 2 }],
        embedded: { apiVersion: 'v1', kind: 'B', metadata: { name: 'b', zzz: 1 }, spec: { gone: 1 }, other: 1 },
      },
    }
    const before = structuredClone(object)
    const { value, unknownFields } = pruneObject(schema, object)
    expect(unknownFields).toEqual([
      'metadata.foo',
      'metadata.ownerReferences[0].bar',
      'top',
      'spec.unknown',
      'spec.free.typed.b',
      'spec.map.k.y',
      'spec.list[1].y',
      'spec.embedded.metadata.zzz',
      'spec.embedded.spec.gone',
      'spec.embedded.other',
    ])
    expect(value).toEqual({
      apiVersion: 'a/v1',
      kind: 'A',
      metadata: { name: 'a', ownerReferences: [{ uid: 'u' }] },
      spec: {
        known: 'a',
        free: { anything: { at: 'all' }, typed: { a: 'a' } },
        map: { k: { x: 1 } },
        list: [{ x: 1 }, {}],
        embedded: { apiVersion: 'v1', kind: 'B', metadata: { name: 'b' }, spec: {} },
      },
    })
    expect(object).toEqual(before)
  })

  it('returns the same object when nothing is unknown', () => {
    const object: JsonObject = { metadata: { name: 'a' }, spec: { known: 'x', list: [{ x: 1 }] } }
    expect(pruneObject(schema, object).value).toBe(object)
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('spec', 'metadata', 'x', 'kind'), fc.jsonValue({ maxDepth: 4 }), {
          noNullPrototype: true,
        }),
        (object) => {
          const once = pruneObject(schema, object as JsonObject).value
          expect(pruneObject(schema, once as JsonObject)).toEqual({ value: once, unknownFields: [] })
        },
      ),
    )
  })
})

describe('defaults', () => {
  it.each<[JsonValue, JsonValue]>([
    [{ spec: {} }, { spec: { known: 'd', nullable: 'n' } }],
    [{ spec: { known: null, nullable: null } }, { spec: { known: 'd', nullable: null } }],
    [
      { spec: { list: [{}, { x: 2 }], map: { a: {} } } },
      { spec: { list: [{ x: 1 }, { x: 2 }], map: { a: { x: 1 } }, known: 'd', nullable: 'n' } },
    ],
    [{ spec: { free: null } }, { spec: { known: 'd', nullable: 'n' } }],
    [{}, {}],
  ])('%j', (value, filled) => {
    const before = structuredClone(value)
    expect(setSchemaDefaults(schema, value)).toEqual(filled)
    expect(value).toEqual(before)
  })

  it('are not shared between objects', () => {
    const shared: JsonSchema = { type: 'object', properties: { a: { type: 'object', default: { b: [] } } } }
    const first = setSchemaDefaults(shared, {}) as { a: object }
    expect(first.a).not.toBe((setSchemaDefaults(shared, {}) as { a: object }).a)
  })
})
