import type { KubernetesObject } from '@hykube/machinery/object'
import { decodeKubernetesEnvelope, messageCodec } from '@hykube/machinery/protobuf'
import { beforeEach, describe, expect, test } from 'vitest'
import { documentProtobuf, listProtobuf, typeNameOf } from '../../kinds/index.ts'
import { openTestStore } from '../../resource/testing/index.ts'
import { fooType } from '../openapi/testing/foo-type.ts'
import { TestApi } from '../testing/test-api.ts'

const protobuf = 'application/vnd.kubernetes.protobuf'
const typed = { accept: `${protobuf},application/json` }
const only = { accept: protobuf }
const metadataOnly = {
  accept: `${protobuf};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`,
}
const configMaps = '/api/v1/namespaces/default/configmaps'

let api: TestApi

beforeEach(async () => {
  api = await TestApi.open((await openTestStore()).store)
  const { status } = await api.post(configMaps, {
    metadata: { name: 'a', annotations: { x: 'é💥' } },
    data: { k: 'v' },
  })
  expect(status).toBe(201)
})

function decoded(bytes: Uint8Array): KubernetesObject {
  const { apiVersion, kind } = decodeKubernetesEnvelope(bytes)
  return documentProtobuf(apiVersion, kind)!.decode(bytes)
}

function decodedList(bytes: Uint8Array): {
  kind: string
  metadata: Record<string, unknown>
  items: KubernetesObject[]
} {
  return listProtobuf(typeNameOf('', 'v1', 'ConfigMap'))!.decode(bytes) as unknown as ReturnType<typeof decodedList>
}

test('an object has the same content in protobuf as in JSON', async () => {
  const { headers, document } = await api.get(`${configMaps}/a`, { headers: typed })
  expect(headers['content-type']).toBe(protobuf)
  expect(decoded(document)).toEqual((await api.get(`${configMaps}/a`)).document)
})

test('a write is answered in protobuf', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { k: 'v' } }
  const { status, document } = await api.send('POST', configMaps, { body, headers: typed })
  expect(status).toBe(201)
  expect(decoded(document)).toMatchObject(body)
})

describe('a list', () => {
  test('has the items and metadata of the JSON list', async () => {
    for (const name of ['b', 'c']) await api.post(configMaps, { metadata: { name } })
    const { document, headers } = await api.get(`${configMaps}?limit=2`, { headers: typed })
    const json = (await api.get(`${configMaps}?limit=2`)).document
    expect(headers['content-type']).toBe(protobuf)
    const list = decodedList(document)
    expect(list.kind).toBe('ConfigMapList')
    expect(list.metadata).toMatchObject({ remainingItemCount: 1, continue: json.metadata.continue })
    expect(list.items).toEqual(json.items.map(({ apiVersion: _, kind: __, ...item }: KubernetesObject) => item))
  })

  test('above the buffer limit is measured first and streamed', async () => {
    const data = { text: 'x'.repeat(40_000) }
    for (let i = 0; i < 600; i++) await api.post(configMaps, { metadata: { name: `large-${i}` }, data })
    const { document } = await api.get(configMaps, { headers: only })
    expect(document.length).toBeGreaterThan(16 << 20)
    expect(decodedList(document).items).toHaveLength(601)
  })

  test('of metadata exists for every kind, also for one without a protobuf form', async () => {
    serveFoos()
    const { document } = await api.get(configMaps, { headers: metadataOnly })
    const list = listProtobuf(typeNameOf('meta.k8s.io', 'v1', 'PartialObjectMetadata'))!.decode(document)
    expect(list).toMatchObject({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      items: [{ metadata: { name: 'a' } }],
    })
    expect((await api.get(foos, { headers: metadataOnly })).status).toBe(200)
  })

  test('is the response to the deletion of a collection', async () => {
    const { document } = await api.send('DELETE', configMaps, { headers: typed })
    expect(decodedList(document).items).toMatchObject([{ metadata: { name: 'a' } }])
  })
})

const foos = '/apis/stable.example.com/v1/namespaces/default/foos'

function serveFoos(): void {
  const storage = {
    ...fooType().storage,
    group: 'stable.example.com',
    resource: 'foos',
    apiVersion: 'stable.example.com/v1',
    kind: 'Foo',
  }
  api.api.types.serve('root', 'foos', [
    fooType(undefined, { storage, prune: (object) => ({ object, unknownFields: [] }) }),
  ])
}

function foo(name: string) {
  return { apiVersion: 'stable.example.com/v1', kind: 'Foo', metadata: { name } }
}

describe('a kind without a protobuf form', () => {
  beforeEach(serveFoos)

  test.each(['GET', 'POST', 'DELETE'])('is answered in JSON where that is accepted (%s)', async (method) => {
    const body = method === 'POST' ? foo('w') : undefined
    const { headers } = await api.send(method, foos, { headers: typed, body })
    expect(headers['content-type']).toBe('application/json')
  })

  test('is 406 where only protobuf is accepted, and nothing is written', async () => {
    const { status, document } = await api.send('POST', foos, { headers: only, body: foo('w') })
    expect(status).toBe(406)
    expect(decoded(document)).toMatchObject({ kind: 'Status', reason: 'NotAcceptable', code: 406 })
    expect((await api.get(`${foos}/w`)).status).toBe(404)
  })
})

test('a table has no protobuf form: the next accepted form is used', async () => {
  const accept = `${protobuf};as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1`
  const { document } = await api.get(configMaps, { headers: { accept } })
  expect(document.kind).toBe('Table')
})

describe('errors', () => {
  test('are in protobuf', async () => {
    const { status, document, headers } = await api.get(`${configMaps}/none`, { headers: typed })
    expect(status).toBe(404)
    expect(headers['content-type']).toBe(protobuf)
    expect(decoded(document)).toMatchObject({
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      message: 'configmaps "none" not found',
      details: { name: 'none', kind: 'configmaps' },
    })
  })

  test('are in JSON for clients that accept no known type', async () => {
    const { status, headers } = await api.get(`${configMaps}/a`, { headers: { accept: 'image/png' } })
    expect(status).toBe(406)
    expect(headers['content-type']).toBe('application/json')
  })
})

test('a delete is answered with a Status, a scale with a Scale', async () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const spec = { replicas: 3, selector: { matchLabels: { a: 'b' } }, template }
  await api.post(deployments, { metadata: { name: 'd' }, spec })
  const scale = await api.get(`${deployments}/d/scale`, { headers: typed })
  expect(decoded(scale.document)).toMatchObject({ kind: 'Scale', spec: { replicas: 3 }, status: { selector: 'a=b' } })
  const gone = await api.send('DELETE', `${configMaps}/a`, { headers: typed })
  expect(decoded(gone.document)).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'a' } })
})

describe('a number out of the range of its field is rejected', () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  const tooMany = { spec: { replicas: 2 ** 53 } }
  const whole = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, ...tooMany })
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, ...tooMany }
  const operation = [{ op: 'replace', path: '/spec/replicas', value: 2 ** 53 }]

  test.each([
    ['applied', 'PATCH', '/d?fieldManager=m&force=true', 'application/apply-patch+yaml', whole('d')],
    ['created by apply', 'PATCH', '/e?fieldManager=m', 'application/apply-patch+yaml', whole('e')],
    ['merged', 'PATCH', '/d', 'application/merge-patch+json', tooMany],
    ['patched', 'PATCH', '/d', 'application/json-patch+json', operation],
    ['scaled', 'PUT', '/d/scale', 'application/json', scale],
    ['scaled by a merge', 'PATCH', '/d/scale', 'application/merge-patch+json', tooMany],
    ['scaled by a patch', 'PATCH', '/d/scale', 'application/json-patch+json', operation],
  ] as const)('%s', async (_, method, path, type, body) => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    await api.post(deployments, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } })
    const { status, document } = await api.send(method, `${deployments}${path}`, {
      body,
      headers: { 'content-type': type },
    })
    // An invalid result of a patch is an error of the patch.
    expect(status).toBe(/merge-patch|json-patch/.test(type) ? 422 : 400)
    expect(document.message).toMatch(/number 9007199254740992 into Go struct field \w+\.spec\.replicas of type int32$/)
    expect((await api.get(deployments, { headers: typed })).status).toBe(200)
  })
})

describe('a watch', () => {
  async function frames(path: string, accept: string, until: number): Promise<{ type: string; object: Uint8Array }[]> {
    const stop = new AbortController()
    const chunks: Uint8Array[] = []
    const response = await api.ask('GET', path, { headers: { accept }, signal: stop.signal })
    expect(response.headers['content-type']).toBe(`${protobuf};stream=watch`)
    if (response.body instanceof Uint8Array) throw new Error('not a stream')
    const running = response.body({
      signal: stop.signal,
      pending: 0,
      write: async (chunk) => {
        chunks.push(chunk)
        if (split(Buffer.concat(chunks)).length >= until) stop.abort()
      },
    })
    await running
    return split(Buffer.concat(chunks))
  }

  function split(bytes: Buffer): { type: string; object: Uint8Array }[] {
    const events = []
    for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32BE(at))
      events.push(eventFrom(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at))))
    return events
  }

  const raw = { name: 'RawExtension', fields: [{ number: 1, name: 'raw', type: 'bytes' as const }] }
  const watchEvent = messageCodec({
    name: 'WatchEvent',
    fields: [
      { number: 1, name: 'type', type: 'string' },
      { number: 2, name: 'object', type: () => raw },
    ],
  })

  function eventFrom(frame: Buffer): { type: string; object: Uint8Array } {
    const { type, object } = watchEvent.decode(frame) as { type: string; object: { raw: Uint8Array } }
    return { type, object: object.raw }
  }

  test('sends frames with objects in their envelopes, and bookmarks', async () => {
    const query = '?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const events = await frames(configMaps + query, `${protobuf};stream=watch`, 2)
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK'])
    expect(decoded(events[0]!.object)).toEqual((await api.get(`${configMaps}/a`)).document)
    expect(decoded(events[1]!.object).metadata?.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
  })

  test('sends changes', async () => {
    const watching = frames(`${configMaps}?watch=1&resourceVersion=1`, typed.accept, 2)
    await api.patch(`${configMaps}/a`, { data: { k: 'w' } })
    const events = await watching
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED'])
    expect(decoded(events[1]!.object)).toMatchObject({ data: { k: 'w' } })
  })

  test('has no YAML', async () => {
    expect((await api.get(`${configMaps}?watch=1`, { headers: { accept: 'application/yaml' } })).status).toBe(406)
  })
})
