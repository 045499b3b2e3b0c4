import type { KubernetesObject } from '@hykube/machinery/object'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AdmissionPlugin } from '../../admission/index.ts'
import { openTestStore, type TestStore } from '../../resource/testing/index.ts'
import { fooType } from '../openapi/testing/foo-type.ts'
import { TestApi } from '../testing/test-api.ts'

let store: TestStore
let api: TestApi

beforeEach(async () => {
  store = await openTestStore()
  api = await TestApi.open(store.store)
})
afterEach(() => store.close())

const maps = '/api/v1/namespaces/default/configmaps'

function map(name: string, also: KubernetesObject = {}): KubernetesObject {
  const { metadata, ...rest } = also
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...rest }
}

describe('create', () => {
  test('sets system fields and ignores those of the client', async () => {
    const { status, document } = await api.post(
      maps,
      map('a', { metadata: { uid: 'mine', creationTimestamp: '2000-01-01T00:00:00Z', generation: 7 } }),
    )
    expect(status).toBe(201)
    expect(document.metadata).toMatchObject({
      name: 'a',
      namespace: 'default',
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resourceVersion: expect.stringMatching(/^\d+$/),
    })
    expect(document.metadata.creationTimestamp).not.toBe('2000-01-01T00:00:00Z')
    expect(document.metadata.generation).toBeUndefined()
    expect((await api.get(`${maps}/a`)).document).toEqual(document)
  })

  test('formats a large object for people with the content of its plain JSON', async () => {
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key-${at}`, 'x'.repeat(10)]))
    const { document } = await api.post(maps, map('large', { data }))
    const pretty = await api.ask('GET', `${maps}/large?pretty=true`, {})
    const chunks: Uint8Array[] = []
    const write = async (chunk: Uint8Array) => void chunks.push(chunk)
    if (pretty.body instanceof Uint8Array) throw new Error('it was made here')
    await pretty.body({ signal: new AbortController().signal, pending: 0, write })
    const text = Buffer.concat(chunks).toString()
    expect(JSON.parse(text)).toEqual(document)
    expect(text).toBe(`${JSON.stringify(document, null, 2)}\n`)
  })

  test('generates a name from a prefix', async () => {
    const { document } = await api.post(maps, { metadata: { generateName: 'made-' } })
    expect(document.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  })

  test.each([
    ['a name that exists', map('taken'), 409, 'AlreadyExists'],
    ['no name', { metadata: {} }, 422, 'Invalid'],
    ['an invalid name', map('A_b'), 422, 'Invalid'],
    ['another namespace', map('a', { metadata: { namespace: 'other' } }), 400, 'BadRequest'],
    ['another kind', { ...map('a'), kind: 'Secret' }, 400, 'BadRequest'],
    ['another version', { ...map('a'), apiVersion: 'v2' }, 400, 'BadRequest'],
    ['a wrong type', map('a', { data: { a: 1 } }), 400, 'BadRequest'],
    ['invalid labels', map('a', { metadata: { labels: { 'a b': 'c' } } }), 422, 'Invalid'],
    ['invalid JSON', '{', 400, 'BadRequest'],
    ['a list', [], 400, 'BadRequest'],
    [
      'more fields than the limit',
      map('a', { data: Object.fromEntries(Array.from({ length: 30_001 }, (_, at) => [`k${at}`, ''])) }),
      400,
      'BadRequest',
    ],
  ])('rejects %s', async (_, body, code, reason) => {
    await api.post(maps, map('taken'))
    const { status, document } = await api.post(maps, body)
    expect({ status, reason: document.reason }).toEqual({ status: code, reason })
  })

  test('names the expected kind when the body is malformed', async () => {
    const { status, document } = await api.send('POST', maps, { body: 'apiVersion: v1' })
    expect(status).toBe(400)
    expect(document.message).toContain('the object provided is unrecognized (must be of type ConfigMap)')
  })

  test('warns of a deprecated version in every use', async () => {
    const endpoints = '/api/v1/namespaces/default/endpoints'
    for (const { headers } of [await api.post(endpoints, { metadata: { name: 'a' } }), await api.get(endpoints)])
      expect(String(headers.warning)).toContain('v1 Endpoints is deprecated in v1.33+')
  })

  test('requires its namespace', async () => {
    const { status, document } = await api.post('/api/v1/namespaces/absent/configmaps', map('a'))
    expect({ status, message: document.message }).toEqual({ status: 404, message: 'namespaces "absent" not found' })
  })

  test('is rejected while its namespace terminates', async () => {
    await api.delete('/api/v1/namespaces/other')
    const { status, document } = await api.post('/api/v1/namespaces/other/configmaps', map('a'))
    expect(status).toBe(403)
    expect(document.details.causes).toEqual([
      { reason: 'NamespaceTerminating', message: 'namespace other is being terminated', field: 'metadata.namespace' },
    ])
  })

  test('stores nothing in a dry run', async () => {
    expect((await api.post(`${maps}?dryRun=All`, map('a'))).status).toBe(201)
    expect((await api.get(`${maps}/a`)).status).toBe(404)
  })
})

describe('a name that is not a string is rejected', () => {
  const wrong = { name: { toString: 1 } }
  const whole = { apiVersion: 'v1', kind: 'ConfigMap', metadata: wrong }

  test.each([
    ['PUT', '', 'application/json', whole],
    ['PATCH', '', 'application/merge-patch+json', { metadata: wrong }],
    ['PATCH', '', 'application/json-patch+json', [{ op: 'add', path: '/metadata/name', value: wrong.name }]],
    ['PATCH', '?fieldManager=m', 'application/apply-patch+yaml', whole],
  ] as const)('%s%s %s', async (method, query, type, body) => {
    await api.post(maps, map('a'))
    const headers = { 'content-type': type }
    const { status, document } = await api.send(method, `${maps}/a${query}`, { body, headers })
    expect(status).toBe(400)
    expect(document.message).toMatch(
      /cannot unmarshal object into Go struct field ObjectMeta.metadata.name of type string$/,
    )
  })
})

describe('unknown and duplicate fields', () => {
  const body = '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"},"nothing":1}'

  test('become warnings by default', async () => {
    const { status, headers, document } = await api.post(maps, body)
    expect(status).toBe(201)
    expect(headers.warning).toEqual(['299 - "unknown field \\"nothing\\""', '299 - "duplicate field \\"data.x\\""'])
    expect(document.data).toEqual({ x: '2' })
  })

  test('are rejected by Strict', async () => {
    const { status, document } = await api.post(`${maps}?fieldValidation=Strict`, body)
    expect(status).toBe(400)
    expect(document.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nothing", duplicate field "data.x"',
    )
  })

  test('are accepted silently by Ignore', async () => {
    expect((await api.post(`${maps}?fieldValidation=Ignore`, body)).headers.warning).toBeUndefined()
  })
})

describe('update', () => {
  test('replaces the object at the revision it was computed from', async () => {
    const { document } = await api.post(maps, map('a', { data: { x: '1' } }))
    const updated = await api.put(`${maps}/a`, { ...document, data: { x: '2' } })
    expect(updated.status).toBe(200)
    expect(Number(updated.document.metadata.resourceVersion)).toBeGreaterThan(Number(document.metadata.resourceVersion))
    const late = await api.put(`${maps}/a`, { ...document, data: { x: '3' } })
    expect({ status: late.status, reason: late.document.reason }).toEqual({ status: 409, reason: 'Conflict' })
    expect(late.document.message).toBe(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    )
  })

  test('without changes creates no revision', async () => {
    const { document } = await api.post(maps, map('a', { data: { x: '1' } }))
    expect((await api.put(`${maps}/a`, document)).document.metadata.resourceVersion).toBe(
      document.metadata.resourceVersion,
    )
  })

  test('without a revision is accepted for a ConfigMap and rejected for a Lease', async () => {
    await api.post(maps, map('a'))
    expect((await api.put(`${maps}/a`, map('a', { data: { x: '1' } }))).status).toBe(200)
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    await api.post(leases, { metadata: { name: 'l' } })
    expect((await api.put(`${leases}/l`, { metadata: { name: 'l' }, spec: { holderIdentity: 'x' } })).status).toBe(422)
  })

  test('with the uid of another object is rejected', async () => {
    await api.post(maps, map('a'))
    expect((await api.put(`${maps}/a`, map('a', { metadata: { uid: 'another' } }))).status).toBe(409)
  })

  test('of a missing object is 404', async () => {
    expect((await api.put(`${maps}/absent`, map('absent'))).status).toBe(404)
  })

  test('of the object keeps its status, and of the status keeps the rest', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments'
    const spec = {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    }
    const { document } = await api.post(path, { metadata: { name: 'd' }, spec, status: { replicas: 9 } })
    expect(document.status).toEqual({})
    const status = await api.put(`${path}/d/status`, {
      ...document,
      spec: { ...document.spec, replicas: 5 },
      status: { replicas: 3 },
    })
    expect(status.document).toMatchObject({
      spec: { replicas: 1 },
      status: { replicas: 3 },
      metadata: { generation: 1 },
    })
    const main = await api.put(`${path}/d`, { ...status.document, spec: { ...document.spec, replicas: 5 }, status: {} })
    expect(main.document).toMatchObject({ spec: { replicas: 5 }, status: { replicas: 3 }, metadata: { generation: 2 } })
  })
})

describe('patch', () => {
  test('of many clients at once loses none', async () => {
    await api.post(maps, map('a'))
    const keys = Array.from({ length: 20 }, (_, at) => `k${at}`)
    const answers = await Promise.all(keys.map((key) => api.patch(`${maps}/a`, { data: { [key]: 'v' } })))
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
    expect(Object.keys((await api.get(`${maps}/a`)).document.data).sort()).toEqual(keys.sort())
  })

  test('with an invalid result is rejected as an invalid patch', async () => {
    await api.post(maps, map('a'))
    const { status, document } = await api.patch(`${maps}/a`, { metadata: { labels: 'no' } }, 'strategic-merge')
    expect(status).toBe(422)
    expect(document.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'patch',
        message: 'Invalid value: "map[metadata:map[labels:no]]": cannot restore map from string',
      },
    ])
  })

  test('with a revision applies only to that revision', async () => {
    const { document } = await api.post(maps, map('a'))
    await api.patch(`${maps}/a`, { data: { x: '1' } })
    const late = await api.patch(`${maps}/a`, {
      metadata: { resourceVersion: document.metadata.resourceVersion },
      data: { x: '2' },
    })
    expect(late.status).toBe(409)
  })

  test.each([
    ['an unknown type', 'application/cbor', 415],
    ['a failed test', 'application/json-patch+json', 422],
  ])('with %s is rejected', async (_, contentType, code) => {
    await api.post(maps, map('a'))
    const body = [{ op: 'test', path: '/data', value: 1 }]
    expect((await api.send('PATCH', `${maps}/a`, { body, headers: { 'content-type': contentType } })).status).toBe(code)
  })
})

describe('server-side apply', () => {
  const applied = (also: KubernetesObject) => map('a', also)

  test('creates, tracks field owners, and reports conflicts by field and manager', async () => {
    const first = await api.patch(`${maps}/a?fieldManager=one`, applied({ data: { x: '1' } }), 'apply')
    expect(first.status).toBe(201)
    expect(first.document.metadata.managedFields).toMatchObject([
      { manager: 'one', operation: 'Apply', fieldsV1: { 'f:data': { 'f:x': {} } } },
    ])
    const second = await api.patch(`${maps}/a?fieldManager=two`, applied({ data: { x: '2' } }), 'apply')
    expect(second.status).toBe(409)
    expect(second.document.details.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' },
    ])
    const forced = await api.patch(`${maps}/a?fieldManager=two&force=true`, applied({ data: { x: '2' } }), 'apply')
    expect(forced.document.data).toEqual({ x: '2' })
  })

  test('removes fields that its manager no longer applies', async () => {
    await api.patch(`${maps}/a?fieldManager=one`, applied({ data: { x: '1', y: '1' } }), 'apply')
    const { document } = await api.patch(`${maps}/a?fieldManager=one`, applied({ data: { x: '1' } }), 'apply')
    expect(document.data).toEqual({ x: '1' })
  })

  test('without changes creates no revision', async () => {
    const first = await api.patch(`${maps}/a?fieldManager=one`, applied({ data: { x: '1' } }), 'apply')
    const again = await api.patch(`${maps}/a?fieldManager=one`, applied({ data: { x: '1' } }), 'apply')
    expect(again.document.metadata.resourceVersion).toBe(first.document.metadata.resourceVersion)
  })

  test('requires a manager', async () => {
    expect((await api.patch(`${maps}/a`, applied({}), 'apply')).status).toBe(422)
  })
})

describe('delete', () => {
  test('removes the object and returns it', async () => {
    const { document: made } = await api.post(maps, map('a'))
    const { status, document } = await api.delete(`${maps}/a`)
    expect(status).toBe(200)
    expect(document).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: made.metadata.uid },
    })
    expect((await api.delete(`${maps}/a`)).status).toBe(404)
  })

  test('keeps the object until its last finalizer is removed', async () => {
    await api.post(maps, map('a', { metadata: { finalizers: ['example.com/hold'] } }))
    const { document } = await api.delete(`${maps}/a`)
    expect(document.metadata.deletionTimestamp).toBeDefined()
    expect(
      (await api.patch(`${maps}/a`, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } })).status,
    ).toBe(422)
    expect((await api.patch(`${maps}/a`, { metadata: { finalizers: null } })).status).toBe(200)
    expect((await api.get(`${maps}/a`)).status).toBe(404)
  })

  test.each([
    ['uid', { uid: 'another' }],
    ['revision', { resourceVersion: '1' }],
  ])('with the %s of another object is rejected', async (_, preconditions) => {
    await api.post(maps, map('a'))
    expect((await api.delete(`${maps}/a`, { preconditions })).status).toBe(409)
  })

  test('of a collection removes the selected objects', async () => {
    await api.post(maps, map('a', { metadata: { labels: { x: '1' } } }))
    await api.post(maps, map('b'))
    expect((await api.delete(`${maps}?labelSelector=x%3D1`)).document.items).toHaveLength(1)
    expect((await api.get(maps)).document.items.map(nameOf)).toEqual(['b'])
  })
})

describe('list', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await api.post(maps, map(name, { metadata: { labels: { odd: String('ace'.includes(name)) } } }))
  })

  test.each(['99999999', '18446744073709551615', '9'.repeat(400)])(
    'at revision %s, which was never reached, is 504',
    async (version) => {
      for (const match of ['Exact', 'NotOlderThan']) {
        const { status, document } = await api.get(`${maps}?resourceVersion=${version}&resourceVersionMatch=${match}`)
        expect(status).toBe(504)
        expect(document.details.causes[0].reason).toBe('ResourceVersionTooLarge')
      }
    },
  )

  test('shows the revision of its first page in all pages', async () => {
    const first = (await api.get(`${maps}?limit=2`)).document
    expect(first.items.map(nameOf)).toEqual(['a', 'b'])
    expect(first.metadata.remainingItemCount).toBe(3)
    await api.post(maps, map('bb'))
    await api.delete(`${maps}/c`)
    const second = (await api.get(`${maps}?limit=2&continue=${first.metadata.continue}`)).document
    expect(second.items.map(nameOf)).toEqual(['c', 'd'])
    const third = (await api.get(`${maps}?limit=2&continue=${second.metadata.continue}`)).document
    expect(third.items.map(nameOf)).toEqual(['e'])
    expect(third.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion })
  })

  test('continues with current objects when its revision is compacted', async () => {
    const first = (await api.get(`${maps}?limit=2`)).document
    await api.delete(`${maps}/c`)
    await store.store.compact(await store.store.now())
    const gone = await api.get(`${maps}?limit=2&continue=${first.metadata.continue}`)
    expect({ status: gone.status, reason: gone.document.reason }).toEqual({ status: 410, reason: 'Expired' })
    const { document } = await api.get(`${maps}?limit=9&continue=${gone.document.metadata.continue}`)
    expect(document.items.map(nameOf)).toEqual(['d', 'e'])
  })

  test('returns the objects that selectors match', async () => {
    expect((await api.get(`${maps}?labelSelector=odd%3Dtrue`)).document.items.map(nameOf)).toEqual(['a', 'c', 'e'])
    expect((await api.get(`${maps}?fieldSelector=metadata.name%3Db`)).document.items.map(nameOf)).toEqual(['b'])
    expect((await api.get(`${maps}?fieldSelector=data.x%3Db`)).status).toBe(400)
    expect((await api.get(`${maps}?labelSelector=${encodeURIComponent('a in (')}`)).status).toBe(400)
  })

  test('at a revision shows that revision', async () => {
    const before = (await api.get(maps)).document.metadata.resourceVersion as string
    await api.delete(`${maps}/a`)
    const exact = await api.get(`${maps}?resourceVersion=${before}&resourceVersionMatch=Exact`)
    expect(exact.document.items.map(nameOf)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect((await api.get(`${maps}?resourceVersion=999999&resourceVersionMatch=NotOlderThan`)).status).toBe(504)
  })

  test.each([
    'resourceVersionMatch=Exact',
    'resourceVersion=0&resourceVersionMatch=Exact',
    'resourceVersion=1&resourceVersionMatch=Some',
    'sendInitialEvents=true',
  ])('%s is rejected', async (query) => {
    expect((await api.get(`${maps}?${query}`)).status).toBe(422)
  })

  test('of a malformed revision is rejected', async () => {
    expect((await api.get(`${maps}?resourceVersion=x`)).status).toBe(400)
  })

  test('as tables and as metadata', async () => {
    const table = (await api.get(maps, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }))
      .document
    expect(table).toMatchObject({
      kind: 'Table',
      columnDefinitions: [{ name: 'Name' }, { name: 'Data' }, { name: 'Age' }],
    })
    expect(table.rows[0]).toMatchObject({
      cells: ['a', 0, expect.any(String)],
      object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } },
    })
    const partial = (
      await api.get(maps, { headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } })
    ).document
    expect(partial).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata' }, {}, {}, {}, {}],
    })
    expect((await api.get(maps, { headers: { accept: 'application/xml' } })).status).toBe(406)
  })

  test('of thousands is streamed completely and in order', async () => {
    const names = Array.from({ length: 1200 }, (_, at) => `many-${String(at).padStart(5, '0')}`)
    await Promise.all(names.map((name) => api.post('/api/v1/namespaces/other/configmaps', map(name))))
    const { document } = await api.get('/api/v1/namespaces/other/configmaps')
    expect(document.items.map(nameOf)).toEqual(names)
    const limited = (await api.get('/api/v1/namespaces/other/configmaps?limit=1100')).document
    expect(limited.items).toHaveLength(1100)
    expect(limited.metadata.remainingItemCount).toBe(100)
  })
})

describe('watch', () => {
  test('sends the changes after a revision in order', async () => {
    const { document } = await api.get(maps)
    const watch = await api.watch(`${maps}?watch=1&resourceVersion=${document.metadata.resourceVersion}`)
    await api.post(maps, map('a'))
    await api.patch(`${maps}/a`, { data: { x: '1' } })
    await api.delete(`${maps}/a`)
    await api.post('/api/v1/namespaces/other/configmaps', map('elsewhere'))
    const events = [await watch.next(), await watch.next(), await watch.next()]
    expect(events.map((event) => event?.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
    const revisions = events.map((event) => Number(event?.object.metadata.resourceVersion))
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b))
    await watch.stop()
  })

  test('without a revision starts with the current objects', async () => {
    await api.post(maps, map('a'))
    const watch = await api.watch(`${maps}?watch=1`)
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } })
    await watch.stop()
  })

  test('marks the end of initial events by a bookmark', async () => {
    await api.post(maps, map('a'))
    const watch = await api.watch(
      `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    )
    expect((await watch.next())?.type).toBe('ADDED')
    expect(await watch.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    })
    await watch.stop()
  })

  test('with a selector sees objects enter and leave the selection', async () => {
    const { document } = await api.get(maps)
    const watch = await api.watch(
      `${maps}?watch=1&labelSelector=x&resourceVersion=${document.metadata.resourceVersion}`,
    )
    await api.post(maps, map('a', { data: { at: 'first' } }))
    await api.patch(`${maps}/a`, { metadata: { labels: { x: '1' } } })
    await api.patch(`${maps}/a`, { data: { at: 'second' } })
    const { document: left } = await api.patch(`${maps}/a`, { metadata: { labels: null }, data: { at: 'third' } })
    const events = [await watch.next(), await watch.next(), await watch.next()]
    expect(events.map((event) => [event?.type, event?.object.data.at])).toEqual([
      ['ADDED', 'first'],
      ['MODIFIED', 'second'],
      ['DELETED', 'second'],
    ])
    expect(events[2]?.object.metadata.resourceVersion).toBe(left.metadata.resourceVersion)
    await watch.stop()
  })

  test('from a compacted revision ends with a 410 event', async () => {
    await api.post(maps, map('a'))
    await api.patch(`${maps}/a`, { data: { x: '1' } })
    await store.store.compact(await store.store.now())
    const watch = await api.watch(`${maps}?watch=1&resourceVersion=1`)
    expect(await watch.next()).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    })
    expect(await watch.next()).toBeUndefined()
  })

  test('ends after its timeout', async () => {
    const watch = await api.watch(`${maps}?watch=1&timeoutSeconds=1&resourceVersion=1`)
    let event = await watch.next()
    while (event !== undefined) event = await watch.next()
    await watch.ended
  })

  test('as tables has the columns only in the first event', async () => {
    const watch = await api.watch(`${maps}?watch=1`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })
    await api.post(maps, map('a'))
    await api.post(maps, map('b'))
    expect((await watch.next())?.object.columnDefinitions).toHaveLength(3)
    expect((await watch.next())?.object.columnDefinitions).toHaveLength(0)
    await watch.stop()
  })
})

describe('logical clusters', () => {
  test('separate objects and show their cluster', async () => {
    await api.post('/clusters/other/api/v1/namespaces', { metadata: { name: 'default' } })
    await api.post(`/clusters/other${maps}`, map('a', { data: { of: 'other' } }))
    await api.post(maps, map('a', { data: { of: 'root' } }))
    expect((await api.get(`${maps}/a`)).document.data).toEqual({ of: 'root' })
    const other = (await api.get(`/clusters/other${maps}/a`)).document
    expect(other).toMatchObject({ data: { of: 'other' }, metadata: { annotations: { 'kcp.io/cluster': 'other' } } })
    const all = (await api.get('/clusters/*/api/v1/configmaps')).document
    expect(all.items.map((item: KubernetesObject) => item.metadata?.annotations?.['kcp.io/cluster'])).toEqual([
      'other',
      'root',
    ])
  })

  test('a watch across all of them names the cluster of an object that left the selection', async () => {
    const watch = await api.watch('/clusters/*/api/v1/configmaps?watch=1&fieldSelector=metadata.name%3Da')
    await api.post(maps, map('a'))
    await api.delete(`${maps}/a`)
    for (const type of ['ADDED', 'DELETED']) {
      const event = await watch.next()
      expect([event?.type, event?.object.metadata.annotations]).toEqual([type, { 'kcp.io/cluster': 'root' }])
    }
    await watch.stop()
  })

  test('a list across all of them continues in the cluster where its page ended', async () => {
    await api.post('/clusters/other/api/v1/namespaces', { metadata: { name: 'default' } })
    for (const name of ['a', 'b'])
      for (const cluster of ['root', 'other']) await api.post(`/clusters/${cluster}${maps}`, map(name))
    const seen: string[] = []
    let token = ''
    do {
      const { items, metadata } = (await api.get(`/clusters/*/api/v1/configmaps?limit=1&continue=${token}`)).document
      for (const item of items) seen.push(`${item.metadata.annotations['kcp.io/cluster']} ${item.metadata.name}`)
      token = metadata.continue ?? ''
    } while (token !== '' && seen.length < 10)
    expect(seen).toEqual(['other a', 'other b', 'root a', 'root b'])
  })

  test('each uses its own custom kinds in requests across all', async () => {
    await api.post('/clusters/other/api/v1/namespaces', { metadata: { name: 'default' } })
    const place = { group: 'stable.example.com', resource: 'foos', apiVersion: 'stable.example.com/v1', kind: 'Foo' }
    const servedIn = (cluster: string, tag: number) =>
      api.api.types.serve(cluster, 'foos', [
        fooType(undefined, {
          storage: { ...fooType().storage, ...place, tag },
          prune: (object) => ({ object, unknownFields: [] }),
          setDefaults: (object) => ({ ...object, of: cluster }),
        }),
      ])
    for (const cluster of ['root', 'other']) servedIn(cluster, 1)
    const foos = '/apis/stable.example.com/v1/namespaces/default/foos'
    for (const cluster of ['root', 'other'])
      await api.post(`/clusters/${cluster}${foos}`, { metadata: { name: cluster } })
    // Objects stored under an earlier definition are decoded by the current one.
    for (const cluster of ['root', 'other']) servedIn(cluster, 2)
    const shown = async () =>
      (await api.get(`/clusters/*${foos}`)).document.items.map(
        ({ of, metadata }: { of: string; metadata: { name: string } }) => `${metadata.name} ${of}`,
      )
    expect(await shown()).toEqual(['other other', 'root root'])
    api.api.types.serve('other', 'foos', [])
    expect(await shown()).toEqual(['root root'])
    const watch = await api.watch('/clusters/*/apis/stable.example.com/v1/foos?watch=1')
    expect((await watch.next())?.object).toMatchObject({ of: 'root', metadata: { name: 'root' } })
    await watch.stop()
  })

  test('a namespace across all of them is the namespace of each', async () => {
    await api.post('/clusters/other/api/v1/namespaces', { metadata: { name: 'default' } })
    for (const path of [maps, `/clusters/other${maps}`, maps.replace('default', 'other')])
      await api.post(path, map('n'))
    const { document } = await api.get(`/clusters/*${maps}`)
    expect(document.items.map(({ metadata }: { metadata: { namespace: string } }) => metadata.namespace)).toEqual([
      'default',
      'default',
    ])
  })

  test('a continue token of one cannot be used to read another', async () => {
    for (const name of ['a', 'b']) await api.post(maps, map(name))
    await api.post('/clusters/other/api/v1/namespaces', { metadata: { name: 'default' } })
    const { document } = await api.get(`${maps}?limit=1`)
    const elsewhere = await api.get(`/clusters/other${maps}?limit=1&continue=${document.metadata.continue}`)
    expect(elsewhere.document.items).toEqual([])
  })

  test('an unknown one is forbidden', async () => {
    expect((await api.get(`/clusters/unknown${maps}`)).status).toBe(403)
  })
})

describe('admission', () => {
  test('mutates the stored object, sees the old object, and can reject', async () => {
    const seen: string[] = []
    const plugin: AdmissionPlugin = {
      name: 'test',
      handles: ({ type }) => type.names.kind === 'ConfigMap',
      mutate: ({ object }) => ({ ...object, data: { ...(object?.data as object), added: 'yes' } }),
      validate: ({ operation, object, old, dryRun }) => {
        seen.push(`${operation} ${old === undefined ? 'new' : 'old'} ${dryRun}`)
        if ((object?.data as Record<string, string> | undefined)?.bad !== undefined) throw new Error('refused')
      },
    }
    const guarded = await TestApi.open(store.store, [plugin])
    expect((await guarded.post(maps, map('a'))).document.data).toEqual({ added: 'yes' })
    expect((await guarded.post(`${maps}?dryRun=All`, map('b'))).status).toBe(201)
    await guarded.patch(`${maps}/a`, { data: { x: '1' } })
    await guarded.delete(`${maps}/a`)
    expect(seen).toEqual(['CREATE new false', 'CREATE new true', 'UPDATE old false', 'DELETE old false'])
  })
})

function nameOf(item: KubernetesObject): string | undefined {
  return item.metadata?.name
}
