import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { listType, mapType, numberType, objectType, stringType } from '@hykube/tfplugin/value'
import { describe, expect, it } from 'vitest'
import { plainTemplates } from '../testing/plain-templates.ts'
import { blockIn, blockOf, nested, plain, providerOf } from '../testing/schema-builder.ts'
import { managedFinalizer } from './kind-strategy.ts'
import { providerTypes } from './provider-types.ts'

const rule = blockOf([
  plain('days', numberType, { required: true, description: 'How many days.' }),
  plain('prefix', stringType),
  plain('state', stringType, { computed: true }),
])
const bucket = blockOf(
  [
    plain('id', stringType, { computed: true, description: 'Given by the cloud.' }),
    plain('name', stringType, { required: true }),
    plain('tags', mapType(stringType)),
    plain('names', listType(stringType)),
    plain('secret', stringType, { optional: true, sensitive: true, description: 'A word.' }),
    plain('once', stringType, { optional: true, writeOnly: true }),
    plain('key', stringType, { computed: true, sensitive: true }),
    plain('old', stringType, { optional: true, deprecated: true }),
    plain('found', listType(objectType({ a: stringType, b: stringType, c: stringType })), { computed: true }),
    nested('network', 'single', [plain('mtu', numberType), plain('mac', stringType), plain('ip', stringType)]),
  ],
  [blockIn('rules', 'list', rule, { maxItems: 5 }), blockIn('other_rules', 'list', rule, { maxItems: 5 })],
  { description: 'A place for files.' },
)
const gone = blockOf([], [], { deprecated: true, deprecationMessage: 'use sim_bucket' })
const schema = providerOf({ sim_bucket: bucket, sim_gone: gone }, { sim_bucket: bucket })
const types = providerTypes({ provider: 'sim', schema, schemaHash: 'h', templates: plainTemplates })
const [managed, deprecated, data] = types as [ResourceType, ResourceType, ResourceType]

describe('the types of a provider', () => {
  it('are named and grouped', () => {
    expect(types.map(({ group, version, names }) => [group, version, names.plural])).toEqual([
      ['sim.hykube.io', 'v1', 'sim-buckets'],
      ['sim.hykube.io', 'v1', 'sim-gones'],
      ['data.sim.hykube.io', 'v1', 'sim-bucket'],
    ])
    expect(types.flatMap(({ names }) => names.categories)).toEqual([])
  })

  it('have subresources by mode', () => {
    expect([...managed.subresources.keys()]).toEqual([
      'status',
      'instances',
      'sensitive',
      'scale',
      'undelete',
      'resolve',
      'state',
    ])
    expect([...data.subresources.keys()]).toEqual(['status', 'instances', 'sensitive'])
  })

  it('have the names that people type, each for one kind', () => {
    const names = (types: readonly ResourceType[]) => types.map(({ names }) => [names.plural, ...names.shortNames])
    const schema = providerOf(
      { aws_vpc: bucket, aws_lb: bucket, aws_lbs: bucket, config_map: bucket },
      { aws_vpc: bucket, aws_vpcs: bucket, aws_zone: bucket },
    )
    const isOtherKind = (name: string) => name === 'configmap' || name === 'configmaps'
    expect(
      names(providerTypes({ provider: 'aws', schema, schemaHash: 'h', templates: plainTemplates, isOtherKind })),
    ).toEqual([
      ['aws-lbs', 'aws_lb', 'AwsLb', 'awslb', 'awslbs'],
      ['aws-lbses-2', 'aws_lbs', 'AwsLbs2', 'awslbs2', 'awslbses2'],
      ['aws-vpcs', 'aws_vpc', 'AwsVpc', 'awsvpc', 'awsvpcs'],
      ['config-maps', 'config_map'],
      ['aws-vpc'],
      ['aws-vpcs', 'aws_vpcs', 'AwsVpcs'],
      ['aws-zone', 'aws_zone', 'AwsZone', 'awszone'],
    ])
  })

  it('are deprecated for those that write their objects, not for those that read them', () => {
    const warnings = (type: ResourceType, spec: object, old?: object) =>
      type.strategy.warnings?.({ spec }, old && { spec: old })
    expect([managed.deprecation, deprecated.deprecation]).toEqual([undefined, undefined])
    expect(warnings(managed, {})).toEqual([])
    expect(warnings(deprecated, {})).toEqual(['sim_gone is deprecated: use sim_bucket'])
    expect(warnings(deprecated, { count: 2 }, {})).toEqual(['sim_gone is deprecated: use sim_bucket'])
    expect(warnings(deprecated, {}, {})).toEqual([])
  })

  it('decode their schemas only when they are used', () => {
    let looked = 0
    const watched = new Proxy(bucket, {
      get: (target, key) => {
        looked++
        return Reflect.get(target, key)
      },
    })
    const [type] = providerTypes({
      provider: 'sim',
      schema: providerOf({ sim_bucket: watched }),
      schemaHash: 'h',
      templates: plainTemplates,
    })
    expect(looked).toBe(0)
    type!.validate({ spec: {} }, undefined)
    expect(looked).toBeGreaterThan(0)
  })
})

const object = (spec: object, more: object = {}): KubernetesObject => ({
  apiVersion: 'sim.hykube.io/v1',
  kind: 'SimBucket',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z', ...more },
  spec,
})

describe('an object', () => {
  it('accepted by an older schema can be updated outside of its spec', () => {
    const old = object({ name: 'a', vanished: true })
    expect(managed.validate({ ...old, metadata: { name: 'a', labels: { b: 'c' } } }, old)).toEqual([])
    expect(managed.validate(object({ name: 'b', vanished: true }), old)).toMatchObject([{ field: 'spec.vanished' }])
  })

  it('is not changed by pruning', () => {
    const given = object({ name: 'a', nam: 'b' })
    const { object: pruned, unknownFields } = managed.prune({ ...given, extra: 1 } as KubernetesObject)
    expect(pruned).toEqual({ ...given, extra: 1 })
    expect(unknownFields).toEqual(['spec.nam', 'extra'])
    expect(managed.validate({ ...given, extra: 1 } as KubernetesObject, undefined)).toMatchObject([
      { field: 'extra' },
      { field: 'spec.nam' },
    ])
  })

  it('has unknown metadata pruned', () => {
    const { object: pruned, unknownFields } = managed.prune(object({ name: 'a' }, { nmae: 'b' }))
    expect(pruned).toEqual(object({ name: 'a' }))
    expect(unknownFields).toEqual(['metadata.nmae'])
  })

  it('gets warnings when it is written, not when only its labels change', () => {
    const given = object({ name: 'a', secret: 'b', old: 'c' })
    expect(managed.strategy.warnings!(given, undefined)).toHaveLength(2)
    expect(managed.strategy.warnings!(given, given)).toEqual([])
  })

  it("keeps the server's finalizer, and only the server's", () => {
    const finalizers = [managedFinalizer]
    const { prepareForCreate, prepareForUpdate } = managed.strategy
    expect(prepareForCreate(object({}, { finalizers })).metadata?.finalizers).toBeUndefined()
    const held = object({}, { finalizers })
    expect(prepareForUpdate(object({}), held).metadata?.finalizers).toEqual(finalizers)
    expect(prepareForUpdate(object({}, { finalizers: ['a/b'] }), held).metadata?.finalizers).toEqual([
      'a/b',
      managedFinalizer,
    ])
    expect(prepareForUpdate(held, object({})).metadata?.finalizers).toBeUndefined()
    expect(prepareForUpdate(held, held).metadata?.finalizers).toEqual(finalizers)
  })

  it.each<[string, object, object, unknown[]]>([
    [
      'one',
      {},
      { conditions: [{ type: 'Ready', status: 'True', reason: 'Applied' }] },
      ['True', '', 'Unknown', 'Applied'],
    ],
    ['one with an id', {}, { attributes: { id: 7 } }, ['Unknown', '7', 'Unknown', '']],
    ['several, not applied', { count: 3 }, {}, ['0/3', '', 'Unknown', '']],
    ['several', { count: 3 }, { instances: { total: 10_000, ready: 9998 } }, ['9998/10000', '', 'Unknown', '']],
  ])('is shown in columns: %s', (_, spec, status, cells) => {
    const shown = managed.columns().cells({ ...object(spec), status }, Date.parse('2026-01-01T00:01:00Z'))
    expect(shown).toEqual(['a', ...cells, '60s', '', 'Unknown'])
  })

  it('is shown as Terminating while it is marked for deletion', () => {
    const marked = object({ count: 2 }, { deletionTimestamp: '2026-01-01T00:00:30Z' })
    const status = { instances: { total: 2, ready: 2 } }
    const [, ready, , , reason] = managed.columns().cells({ ...marked, status }, Date.parse('2026-01-01T00:01:00Z'))
    expect([ready, reason]).toEqual(['2/2', 'Terminating'])
  })
})

describe('OpenAPI', () => {
  const { schema: document, definition } = managed.openApi!.definitions()
  const { spec, status } = document.properties as Record<string, { properties: Record<string, object>; $ref: string }>
  const refer = (name: string) => definition!(name) as { properties: Record<string, Record<string, object>> }

  it('documents settable attributes: strings with a type, others without', () => {
    expect(document.description).toBe('A place for files.')
    expect(Object.keys(spec!.properties)).toEqual([
      ...['name', 'names', 'network', 'old', 'once', 'other_rules', 'rules', 'secret', 'tags'],
    ])
    expect(spec).toMatchObject({ allOf: [{ $ref: 'hk.Resource' }] })
    expect(Object.keys(definition!('hk.Resource')!.properties as object)).toEqual([
      ...['count', 'depends_on', 'for_each', 'provider', 'lifecycle'],
    ])
    expect(spec!.properties).toMatchObject({
      name: { type: 'string' },
      names: { $ref: 'hk.ListOfString' },
      tags: { $ref: 'hk.MapOfString' },
      secret: { type: 'string', description: 'A word. Sensitive.' },
      once: { type: 'string', description: 'Write-only, never stored: use ${secret["name"].key}.' },
      old: { type: 'string', description: 'Deprecated.' },
    })
    expect(spec).toMatchObject({ required: ['name'] })
    expect(definition!('hk.ListOfString')).toEqual({
      'x-kubernetes-preserve-unknown-fields': true,
      items: { type: 'string' },
      description: '(list(string))',
    })
  })

  it('shares equal blocks', () => {
    const { rules, other_rules } = spec!.properties as Record<string, { $ref: string }>
    expect(rules!.$ref).toBe(other_rules!.$ref)
    expect(definition!(rules!.$ref)).toEqual({
      description: '(list(object), at most 5)',
      items: {
        required: ['days'],
        properties: { days: { description: '(number) How many days.' }, prefix: { type: 'string' } },
      },
    })
  })

  it('documents read-only attributes in status, except sensitive ones', () => {
    const { attributes } = refer(status!.$ref).properties
    expect(Object.keys(attributes!.properties!)).toEqual(['found', 'id'])
    expect(attributes!.properties).toMatchObject({ id: { type: 'string', description: 'Given by the cloud.' } })
  })

  it('defines every reference', () => {
    const seen = new Set<string>()
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return
      const { $ref } = part as { $ref?: unknown }
      if (typeof $ref === 'string' && !$ref.startsWith('io.k8s.') && !seen.has($ref)) {
        seen.add($ref)
        expect(definition!($ref)).toBeDefined()
        visit(definition!($ref))
      }
      for (const inner of Object.values(part)) visit(inner)
    }
    visit(document)
    expect(seen.size).toBeGreaterThan(8)
  })

  it("has a fingerprint that changes with the provider's schema only", () => {
    const again = providerTypes({ provider: 'sim', schema, schemaHash: 'h', templates: plainTemplates })
    const other = providerTypes({ provider: 'sim', schema, schemaHash: 'i', templates: plainTemplates })
    expect(again[0]!.openApi!.fingerprint).toBe(managed.openApi!.fingerprint)
    expect(again[0]!.openApi!.definitions().schema).toEqual(document)
    expect(other[0]!.openApi!.fingerprint).not.toBe(managed.openApi!.fingerprint)
    expect(data.openApi!.fingerprint).not.toBe(managed.openApi!.fingerprint)
  })
})
