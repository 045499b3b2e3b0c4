import type { OpenApiSchema, ResourceType } from '@hykube/machinery/resource-type'
import { describe, expect, test } from 'vitest'
import { builtInResourceTypes } from '../../kinds/index.ts'
import { type Definition, typeDefinitions } from './definitions.ts'
import { visitReferences } from './schema-parts.ts'
import { builtIn, fooType } from './testing/foo-type.ts'

function byName(...types: ResourceType[]): Map<string, Definition> {
  return new Map([...typeDefinitions([types])].map((definition) => [definition.name, definition]))
}

describe('definitions of built-in kinds', () => {
  test('exist once each, and every reference has one', () => {
    const all = [...typeDefinitions([builtInResourceTypes()])]
    const names = new Set(all.map(({ name }) => name))
    expect(names.size).toBe(all.length)
    expect(names.size).toBeGreaterThan(500)
    for (const { schema } of all) visitReferences(schema, (name) => expect(names).toContain(name))
  })

  test('name their kinds, also for lists, options and embedded kinds', () => {
    const found = byName(builtIn('StatefulSet'))
    const kinds = (name: string) => found.get(name)?.kinds
    const apps = { group: 'apps', version: 'v1' }
    const core = { group: '', version: 'v1' }
    expect(kinds('io.k8s.api.apps.v1.StatefulSet')).toEqual([{ ...apps, kind: 'StatefulSet' }])
    expect(kinds('io.k8s.api.apps.v1.StatefulSetList')).toEqual([{ ...apps, kind: 'StatefulSetList' }])
    expect(kinds('io.k8s.api.core.v1.PersistentVolumeClaim')).toEqual([{ ...core, kind: 'PersistentVolumeClaim' }])
    expect(kinds('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions')).toEqual([
      { ...core, kind: 'DeleteOptions' },
      { ...apps, kind: 'DeleteOptions' },
    ])
    expect(kinds('io.k8s.api.core.v1.PodSpec')).toEqual([])
  })

  test('keep the merge extensions', () => {
    const spec = byName(builtIn('Pod')).get('io.k8s.api.core.v1.PodSpec')!.schema.properties
    expect(spec).toMatchObject({
      containers: { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-list-map-keys': ['name'] },
      tolerations: { 'x-kubernetes-list-type': 'atomic' },
    })
  })
})

describe('definitions of a kind with a schema of its own', () => {
  const schema: OpenApiSchema = {
    type: 'object',
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        properties: {
          rules: { type: 'array', items: { $ref: 'shared.Rule' } },
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
        },
      },
    },
  }
  const shared: Record<string, OpenApiSchema> = {
    'shared.Rule': { type: 'object', properties: { inner: { $ref: 'shared.Inner' } } },
    'shared.Inner': { type: 'string' },
  }
  const openApi = { fingerprint: 'a', definitions: () => ({ schema, definition: (name: string) => shared[name] }) }

  test('are named by the reversed group, and have the fields of every object', () => {
    const foo = byName(fooType(openApi)).get('com.example.stable.v1.Foo')!
    expect(foo.kinds).toEqual([{ group: 'stable.example.com', version: 'v1', kind: 'Foo' }])
    expect(foo.schema.properties).toMatchObject({
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      spec: { properties: { template: { properties: { kind: { type: 'string' }, spec: { type: 'object' } } } } },
    })
    expect(byName(fooType(openApi)).has('com.example.stable.v1.FooList')).toBe(true)
  })

  test('share the common definitions', () => {
    const bar = { plural: 'bars', singular: 'bar', kind: 'Bar', listKind: 'BarList', shortNames: [], categories: [] }
    const found = [...typeDefinitions([[fooType(openApi), fooType(openApi, { names: bar })]])].map(({ name }) => name)
    expect(found.filter((name) => name.startsWith('shared.'))).toEqual(['shared.Rule', 'shared.Inner'])
    expect(found).toContain('com.example.stable.v1.Bar')
  })

  test('have no fields without a schema', () => {
    expect(byName(fooType()).get('com.example.stable.v1.Foo')!.schema).toEqual({ type: 'object' })
  })

  test('have a definition for an unknown name', () => {
    const dangling = {
      fingerprint: 'b',
      definitions: () => ({ schema: { type: 'object', items: { $ref: 'no.Such' } } }),
    }
    expect(byName(fooType(dangling)).get('no.Such')!.schema).toEqual({})
  })

  test('have no lists in a very large group', () => {
    const many = Array.from({ length: 201 }, (_, at) =>
      fooType(openApi, {
        names: { ...fooType().names, kind: `Foo${at}`, listKind: `Foo${at}List`, plural: `foos${at}` },
      }),
    )
    const names = [...typeDefinitions([many, [fooType(openApi)]])].map(({ name }) => name)
    expect(names.filter((name) => /v1\.Foo\d+$/.test(name))).toHaveLength(201)
    expect(names.filter((name) => name.endsWith('List'))).toEqual(['com.example.stable.v1.FooList'])
  })
})
