import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { describe, expect, test } from 'vitest'
import { customResourceTypes } from './custom-resource-type.ts'
import type { Definition, DefinitionVersion } from './definition.ts'

const spec = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 3 },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
}

function typesOf(version: Partial<DefinitionVersion> = {}, more: DefinitionVersion[] = []): ResourceType[] {
  const first = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  }
  return customResourceTypes({
    metadata: { name: 'widgets.example.com', uid: 'u', generation: 1 },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['w'] },
      versions: [{ ...first, ...version }, ...more],
    },
  } as unknown as Definition)
}

const widget: KubernetesObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: {} }

describe('the resource type of a definition', () => {
  test('has the accepted names and no strategic merge patch', () => {
    const [type] = typesOf()
    expect(type!.names).toMatchObject({
      plural: 'widgets',
      singular: 'widget',
      listKind: 'WidgetList',
      shortNames: ['w'],
    })
    expect(type!.strategicMerge).toBe(false)
    expect(type!.strategy.allowUnconditionalUpdate).toBe(false)
  })

  test('exists per served version with a common storage version', () => {
    const other = { name: 'v2', served: true, storage: false } as DefinitionVersion
    const types = typesOf({}, [other, { ...other, name: 'v3', served: false }])
    expect(types.map(({ version }) => version)).toEqual(['v1', 'v2'])
    expect(types.map(({ storage }) => storage.apiVersion)).toEqual(['example.com/v1', 'example.com/v1'])
  })

  test.each([
    [{ deprecated: true }, [], 'example.com/v1 Widget is deprecated'],
    [
      { name: 'v1beta1', deprecated: true },
      ['v1', 'v2'],
      'example.com/v1beta1 Widget is deprecated; use example.com/v2 Widget',
    ],
    [{ deprecated: true }, ['v1beta1'], 'example.com/v1 Widget is deprecated'],
    [{ deprecated: true, deprecationWarning: 'go away' }, [], 'go away'],
    [{}, [], undefined],
  ])('warns of deprecation: %j beside %j', (version, others, warning) => {
    const [type] = typesOf(
      version,
      others.map((name) => ({ name, served: true, storage: false }) as DefinitionVersion),
    )
    expect(type!.deprecation).toBe(warning)
  })

  test('prunes, applies defaults and reports unknown fields', () => {
    const [type] = typesOf()
    const { object, unknownFields } = type!.prune({ ...widget, spec: { nope: 1 }, more: 2 } as KubernetesObject)
    expect(unknownFields).toEqual(['spec.nope', 'more'])
    expect(type!.setDefaults(object)).toEqual({ ...widget, spec: { size: 3 } })
  })

  test('rejects metadata of a wrong type', () => {
    const [type] = typesOf()
    const wrong = { ...widget, metadata: { labels: { a: 1 } } } as unknown as KubernetesObject
    expect(() => type!.prune(wrong)).toThrow('cannot unmarshal')
    const nothing = { ...widget, metadata: { name: 'a', labels: null } } as unknown as KubernetesObject
    expect(type!.prune(nothing).object.metadata).toEqual({ name: 'a' })
  })

  test('validates embedded objects', () => {
    const [type] = typesOf()
    const found = type!.validate(
      { ...widget, spec: { template: { kind: 'Pod', metadata: { name: 'Bad!' } } } },
      undefined,
    )
    expect(found.map(({ field }) => field)).toEqual(['spec.template.apiVersion', 'spec.template.metadata.name'])
  })

  test('increments the generation, for status changes only without the status subresource', () => {
    const old = { ...widget, metadata: { name: 'a', generation: 4 }, status: { a: 1 } }
    const changed = { ...old, status: { a: 2 } }
    expect(typesOf()[0]!.strategy.prepareForUpdate(changed, old).metadata?.generation).toBe(5)
    const withStatus = typesOf({ subresources: { status: {} } })[0]!
    expect(withStatus.strategy.prepareForUpdate(changed, old)).toEqual(old)
    expect(withStatus.strategy.prepareForStatusUpdate({ ...changed, spec: { size: 9 } }, old)).toEqual(changed)
    expect(withStatus.strategy.prepareForCreate(changed)).not.toHaveProperty('status')
  })

  test('changes its tag exactly when stored values are read differently', () => {
    const tag = (version: Partial<DefinitionVersion>) => typesOf(version)[0]!.storage.tag
    const schema = { openAPIV3Schema: { type: 'object' } }
    expect(tag({})).toBe(tag({ additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: '.a' }] }))
    expect(tag({})).not.toBe(tag({ schema }))
    expect(tag({ schema })).not.toBe(tag({ schema, name: 'v2' }))
  })

  test('shows its columns, or its age without any', () => {
    const object = { ...widget, metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' }, spec: { size: 2 } }
    const now = Date.parse('2026-01-01T00:05:00Z')
    expect(typesOf()[0]!.columns().cells(object, now)).toEqual(['a', '5m'])
    const columns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'When', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 },
      { name: 'None', type: 'string', jsonPath: '.spec.none' },
    ]
    const table = typesOf({ additionalPrinterColumns: columns })[0]!.columns()
    expect(table.cells(object, now)).toEqual(['a', 2, '5m', null])
    expect(table.definitions.map(({ priority }) => priority)).toEqual([0, 0, 1, 0])
  })
})

describe('validation errors', () => {
  const status = { type: 'object', properties: { phase: { type: 'string' }, ready: { type: 'integer' } } }
  const [type] = typesOf({
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' } },
  } as Partial<DefinitionVersion>)
  const told = (object: KubernetesObject, subresource = '') =>
    type!.validate(object, widget, subresource).map(({ field, message }) => `${field}: ${message}`)

  test('of status have paths within status on status updates', () => {
    const object = { ...widget, status: { phase: 1 } }
    const problem = 'must be of type string: "integer"'
    expect(told(object)).toEqual([`status.phase: Invalid value: "integer": status.phase in body ${problem}`])
    expect(told(object, 'status')).toEqual([`status.phase: Invalid value: "integer": phase in body ${problem}`])
  })

  test('include invalid replica paths', () => {
    expect(told({ ...widget, spec: 'x' })).toEqual([
      'spec: Invalid value: "string": spec in body must be of type object: "string"',
      '.spec.size: Invalid value: 0: .spec.size accessor error: x is of the type string, expected map[string]interface{}',
    ])
    expect(told({ ...widget, spec: { size: -1 } })).toEqual([
      '.spec.size: Invalid value: -1: should be a non-negative integer',
    ])
  })
})
