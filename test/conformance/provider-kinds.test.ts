import { RunningProvider } from '@hykube/provider-sdk/provider'
import { TestApi } from '@hykube/server/http/testing'
import {
  isKindStub,
  kindStub,
  kindsOf,
  managedFinalizer,
  providerConfigType,
  providerType,
  providerTypes,
  servedNames,
} from '@hykube/server/provider'
import { plainTemplates } from '@hykube/server/provider/testing'
import { openTestStore, type TestStore } from '@hykube/server/resource/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { simProvider } from '../../providers/sim/src/provider.ts'

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const { schema } = new RunningProvider(simProvider, silent).schemas

let store: TestStore
let api: TestApi

beforeEach(async () => {
  store = await openTestStore()
  api = await TestApi.open(store.store)
  for (const provider of ['a', 'b'])
    api.api.types.serve(
      'root',
      provider,
      providerTypes({ provider, schema, schemaHash: '1', templates: plainTemplates }),
    )
  api.api.types.serveEverywhere([providerType(plainTemplates), providerConfigType(plainTemplates)])
})
afterEach(() => store.close())

const at = (plural: string, group = 'a.hykube.io') => `/apis/${group}/v1/namespaces/default/${plural}`

function object(kind: string, name: string, spec: object, metadata: object = {}) {
  return { apiVersion: 'a.hykube.io/v1', kind, metadata: { name, ...metadata }, spec }
}

const bucket = (spec: object, metadata?: object) => object('SimBucket', 'logs', { name: 'logs', ...spec }, metadata)
const applied = (path: string, manager: string, body: object, more = '') =>
  api.patch(`${path}?fieldManager=${manager}${more}`, body, 'apply')

describe('an object of a provider', () => {
  test('is created with conditions, and increments its generation on spec changes', async () => {
    const { status, document } = await api.post(at('sim-buckets'), bucket({ tags: { a: '${b.c}' } }))
    expect(status).toBe(201)
    expect(document.metadata.generation).toBe(1)
    expect(document.spec).toEqual({ name: 'logs', tags: { a: '${b.c}' } })
    expect(
      document.status.conditions.map(({ type, status: is, reason }: Record<string, string>) => [type, is, reason]),
    ).toEqual([
      ['Ready', 'False', 'NotApplied'],
      ['Applied', 'False', 'NotApplied'],
      ['Drifted', 'Unknown', 'NeverRefreshed'],
      ['Stalled', 'False', 'Progressing'],
    ])
    expect(document.status.conditions[0].lastTransitionTime).toBe(document.metadata.creationTimestamp)
    const labelled = await api.patch(`${at('sim-buckets')}/logs`, { metadata: { labels: { a: 'b' } } })
    expect(labelled.document.metadata.generation).toBe(1)
    const changed = await api.patch(`${at('sim-buckets')}/logs`, { spec: { tags: null } })
    expect(changed.document.metadata.generation).toBe(2)
  })

  test.each<[string, object, string]>([
    ['an invalid number', { rules: [{ prefix: 'a', after_days: 'x' }] }, 'spec.rules[0].after_days'],
    ['a map instead of a list', { rules: { prefix: 'a' } }, 'spec.rules'],
    ['a computed attribute', { id: 'x' }, 'spec.id'],
    ['a missing attribute', { rules: [{}] }, 'spec.rules[0].prefix'],
    ['an unsupported setting', { lifecycle: { sync: 'Reconcile' } }, 'spec.lifecycle.sync'],
    ['too many instances', { count: 1e9 }, 'spec.count'],
  ])('is rejected for %s with the path, by every kind of write', async (_, spec, field) => {
    const expected = { code: 422, reason: 'Invalid', details: { causes: [{ field }] } }
    expect((await api.post(at('sim-buckets'), bucket(spec))).document).toMatchObject(expected)
    expect((await applied(`${at('sim-buckets')}/logs`, 'm', bucket(spec))).document).toMatchObject(expected)
    await api.post(at('sim-buckets'), bucket({}))
    expect((await api.patch(`${at('sim-buckets')}/logs`, { spec })).document).toMatchObject(expected)
  })

  test('is rejected for an unknown attribute instead of dropping it', async () => {
    const wrong = bucket({ nam: 'x' })
    const strict = await api.post(`${at('sim-buckets')}?fieldValidation=Strict`, wrong)
    expect(strict.document).toMatchObject({
      code: 400,
      message: expect.stringContaining('strict decoding error: unknown field "spec.nam" (did you mean "name"?)'),
    })
    for (const way of ['', '?fieldValidation=Warn', '?fieldValidation=Ignore'])
      expect((await api.post(`${at('sim-buckets')}${way}`, wrong)).document).toMatchObject({
        code: 422,
        details: { causes: [{ field: 'spec.nam', message: 'Forbidden: unknown field, did you mean "name"?' }] },
      })
    const path = `${at('sim-buckets')}/logs`
    expect((await applied(path, 'm', wrong, '&fieldValidation=Strict')).document).toMatchObject({
      code: 400,
      message: expect.stringContaining('strict decoding error: unknown field "spec.nam" (did you mean "name"?)'),
    })
    expect((await applied(path, 'm', wrong)).document).toMatchObject({ code: 422 })
    const beside = { ...bucket({}), data: { a: 'b' } }
    expect((await applied(path, 'm', beside)).document).toMatchObject({
      code: 422,
      details: { causes: [{ field: 'data' }] },
    })
  })

  test('gets warnings for sensitive attributes and is rejected for write-only ones', async () => {
    const secret = (value: string) => object('SimSecret', 's', { name: 's', value })
    expect((await api.post(at('sim-secrets'), secret('hunter2'))).document).toMatchObject({
      code: 422,
      details: { causes: [{ field: 'spec.value', message: expect.stringContaining('${secret["name"].key}') }] },
    })
    expect((await api.post(at('sim-secrets'), secret('${secret["s"].v}'))).status).toBe(201)
  })

  test('accepts expressions in attributes of any type', async () => {
    const spec = { name: 'logs', tags: '${a.b}', rules: '${c.d}', count: '${e.f}' }
    expect((await api.post(at('sim-buckets'), object('SimBucket', 'logs', spec))).document.spec).toEqual(spec)
  })

  test("does not let clients change the server's finalizer", async () => {
    const finalizers = [managedFinalizer, 'mine.example.com/x']
    const { document } = await api.post(at('sim-buckets'), bucket({}, { finalizers }))
    expect(document.metadata.finalizers).toEqual(['mine.example.com/x'])
    const patched = await api.patch(`${at('sim-buckets')}/logs`, { metadata: { finalizers } })
    expect(patched.document.metadata.finalizers).toEqual(['mine.example.com/x'])
  })

  test('supports scale through its count', async () => {
    await api.post(at('sim-buckets'), bucket({ count: 2 }))
    const scaled = await api.patch(`${at('sim-buckets')}/logs/scale`, { spec: { replicas: 5 } })
    expect(scaled.document).toMatchObject({ kind: 'Scale', spec: { replicas: 5 }, status: { replicas: 0 } })
    expect((await api.get(`${at('sim-buckets')}/logs`)).document.spec.count).toBe(5)
    await api.patch(`${at('sim-buckets')}/logs`, { spec: { count: '${a.b}' } })
    expect((await api.get(`${at('sim-buckets')}/logs/scale`)).document.spec).toEqual({ replicas: 0 })
  })

  test('accepts status changes through the status subresource only', async () => {
    const { document } = await api.post(at('sim-buckets'), bucket({}))
    const status = { ...document.status, attributes: { id: 'bucket-1' }, instances: { total: 3, ready: 2 } }
    const ignored = await api.put(`${at('sim-buckets')}/logs`, { ...document, status })
    expect(ignored.document.status).toEqual(document.status)
    const written = await api.put(`${at('sim-buckets')}/logs/status`, { ...document, spec: {}, status })
    expect([written.document.spec, written.document.status]).toEqual([document.spec, status])
    const table = await api.get(`${at('sim-buckets')}/logs`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    expect(table.document.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      ...['Name', 'Ready', 'Id', 'Applied', 'Reason', 'Age', 'Provider', 'Drifted'],
    ])
    expect(table.document.rows[0].cells.slice(0, 5)).toEqual(['logs', '2/3', 'bucket-1', 'False', 'NotApplied'])
    const wrong = { ...written.document, status: { conditions: [{ type: 'Ready' }] } }
    expect((await api.put(`${at('sim-buckets')}/logs/status`, wrong)).status).toBe(422)
  })
})

describe('server-side apply', () => {
  const path = () => `${at('sim-buckets')}/logs`

  test('lets two managers own different keys of a map', async () => {
    await applied(path(), 'one', bucket({ tags: { a: '1' } }))
    const { status, document } = await applied(path(), 'two', bucket({ tags: { b: '2' } }))
    expect([status, document.spec.tags]).toEqual([200, { a: '1', b: '2' }])
  })

  test('reports a conflict for a second manager of a block list', async () => {
    await applied(path(), 'one', bucket({ rules: [{ prefix: 'a' }] }))
    const { document } = await applied(path(), 'two', bucket({ rules: [{ prefix: 'b' }] }))
    expect(document).toMatchObject({ code: 409, details: { causes: [{ field: '.spec.rules' }] } })
  })

  test('treats an expression as a leaf', async () => {
    await applied(path(), 'one', bucket({ tags: { a: '1' } }))
    expect((await applied(path(), 'two', bucket({ tags: '${x.y}' }))).document).toMatchObject({ code: 409 })
    const forced = await applied(path(), 'two', bucket({ tags: '${x.y}' }), '&force=true')
    expect(forced.document.spec.tags).toBe('${x.y}')
    expect((await applied(path(), 'one', bucket({ tags: { a: '1' } }))).document).toMatchObject({ code: 409 })
  })
})

describe('two providers of one source', () => {
  test('keep their objects apart', async () => {
    await api.post(at('sim-buckets'), bucket({}))
    expect((await api.get(at('sim-buckets', 'b.hykube.io'))).document.items).toEqual([])
    expect((await api.get(at('sim-images', 'data.a.hykube.io'))).status).toBe(404)
    expect((await api.get(at('sim-image', 'data.a.hykube.io'))).document.kind).toBe('SimImageList')
  })
})

describe('a kind', () => {
  const stubs = () =>
    kindsOf('a', schema).map((kind) =>
      kindStub(kind, { schemaHash: '1', owner: { name: 'a', uid: 'u' }, since: '2026-01-01T00:00:00Z' }),
    )

  test('has a definition that passes validation', async () => {
    for (const stub of stubs())
      expect((await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', stub)).status).toBe(201)
    expect(stubs().every(isKindStub)).toBe(true)
  })

  test('keeps the attribute names', () => {
    const taken = servedNames('a', stubs())
    expect(taken.managed.get('sim_bucket')).toMatchObject({ plural: 'sim-buckets', kind: 'SimBucket' })
    expect([...taken.data.keys()]).toEqual(['sim_image', 'sim_region'])
    expect(kindsOf('a', schema, taken)).toEqual(kindsOf('a', schema))
  })
})

describe('a Provider', () => {
  const path = '/apis/hykube.io/v1alpha1/providers'
  const provider = (name: string, spec: object) => ({
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'Provider',
    metadata: { name },
    spec,
  })

  test('is created with a pending installation', async () => {
    const config = { region: 'eu', token: '${secret["ns/name"].key}' }
    const { status, document } = await api.post(
      path,
      provider('aws', { source: 'hashicorp/aws', version: '~> 5', config }),
    )
    expect(status).toBe(201)
    expect(document.status.conditions).toMatchObject([
      { type: 'Installed', status: 'False', reason: 'Pending' },
      { type: 'Ready', status: 'False', reason: 'Pending' },
    ])
    const table = await api.get(path, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })
    expect(table.document.rows[0].cells.slice(0, 5)).toEqual(['aws', 'hashicorp/aws', '~> 5', 'False', 'False'])
  })

  test.each<[string, object, string]>([
    ['data', { source: 'a/b' }, 'metadata.name'],
    ['a.b', { source: 'a/b' }, 'metadata.name'],
    ['x', {}, 'spec.source'],
    ['x', { source: 'aws' }, 'spec.source'],
    ['x', { source: 'a/b/c/d' }, 'spec.source'],
    ['x', { source: 'a/b', downloadUrl: 'https://a' }, 'spec.downloadUrl'],
    ['x', { downloadUrl: 'ftp://a' }, 'spec.downloadUrl'],
    ['x', { source: 'a/b', downloadName: 'c' }, 'spec.downloadName'],
    ['x', { source: 'a/b', version: 'newest' }, 'spec.version'],
    ['x', { source: 'a/b', config: { a: ['${b'] } }, 'spec.config[a][0]'],
    ['x', { source: 3 }, 'spec.source'],
  ])('%s with %j is rejected for %s', async (name, spec, field) => {
    expect((await api.post(path, provider(name, spec))).document).toMatchObject({
      code: 422,
      details: { causes: [{ field }] },
    })
  })

  test.each([
    [{ source: 'registry.example.com:8080/hashicorp/aws', version: '>= 1.0, < 2.0.0-beta' }],
    [{ source: 'local/NAME' }],
    [{ downloadUrl: 'https://example.com/p.zip', downloadName: 'terraform-provider-x' }],
  ])('%j is accepted', async (spec) => {
    expect((await api.post(path, provider('x', spec))).status).toBe(201)
  })
})

test('a ProviderConfig must name its provider', async () => {
  const path = '/apis/hykube.io/v1alpha1/namespaces/default/providerconfigs'
  const config = (spec: object) => ({
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'ProviderConfig',
    metadata: { name: 'west' },
    spec,
  })
  expect((await api.post(path, config({ config: {} }))).document).toMatchObject({
    code: 422,
    details: { causes: [{ field: 'spec.provider' }] },
  })
  expect((await api.post(path, config({ provider: 'a', config: { region: 'west' } }))).status).toBe(201)
})
