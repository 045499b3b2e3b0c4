import { StatusError } from '@hykube/machinery/status'
import { describe, expect, test } from 'vitest'
import { Client } from './client.ts'
import { ExpiredListError } from './failure.ts'
import { resourcePath } from './resource-path.ts'
import { apiResource, FakeApi } from './testing/index.ts'
import type { Transport, TransportRequest } from './transport.ts'

const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespace: 'a' }

function scripted(status: number, body: string): { client: Client; sent: TransportRequest[] } {
  const sent: TransportRequest[] = []
  const transport: Transport = async (request) => {
    sent.push(request)
    return { status, headers: {}, body: pieces(body) }
  }
  return { client: new Client({ transport, fieldManager: 'me' }), sent }
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  // Chunk boundaries fall everywhere, also inside of characters.
  for (let at = 0; at < bytes.length; at += 3) yield bytes.slice(at, at + 3)
}

describe('paths', () => {
  test.each([
    [{ group: '', version: 'v1', resource: 'pods' }, '/api/v1/pods'],
    [
      { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'a', name: 'b' },
      '/apis/apps/v1/namespaces/a/deployments/b',
    ],
    [
      { group: '', version: 'v1', resource: 'namespaces', name: 'a', subresource: 'finalize' },
      '/api/v1/namespaces/a/finalize',
    ],
    [{ group: 'rbac', version: 'v1', resource: 'roles', name: 'system:a/b c' }, '/apis/rbac/v1/roles/system:a%2Fb%20c'],
    [{ group: '', version: 'v1', resource: 'pods', cluster: '*' }, '/clusters/*/api/v1/pods'],
  ])('%j is %s', (at, path) => {
    expect(resourcePath(at)).toBe(path)
  })

  test.each(['', '.', '..'])('rejects the name %j, which would change the path', (name) => {
    expect(() => resourcePath({ ...configMaps, name })).toThrow(TypeError)
  })
})

describe('requests', () => {
  test('creates, finds, updates and deletes an object', async () => {
    const client = new FakeApi().client()
    await client.create(configMaps, { metadata: { name: 'x' }, data: { a: '1' } })
    await client.patch({ ...configMaps, name: 'x' }, { kind: 'merge', patch: { data: { b: '2' } } })
    await client.patch({ ...configMaps, name: 'x' }, { kind: 'json', operations: [{ op: 'remove', path: '/data/a' }] })
    expect((await client.get({ ...configMaps, name: 'x' })).data).toEqual({ b: '2' })
    await client.delete({ ...configMaps, name: 'x' })
    expect(await client.find({ ...configMaps, name: 'x' })).toBeUndefined()
  })

  test('a StatusError has the reason, code and details of the response', async () => {
    const client = new FakeApi().client()
    const failure = await client.get({ ...configMaps, name: 'x' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StatusError)
    expect(failure).toMatchObject({ reason: 'NotFound', code: 404, details: { name: 'x', kind: 'configmaps' } })
    expect((failure as Error).message).toContain('cannot get configmaps a/x')
  })

  test.each([
    [404, '404 page not found\n', 'NotFound'],
    [502, '<html>', 'Unknown'],
    [409, '', 'Conflict'],
    [503, 'no upstream', 'ServiceUnavailable'],
  ])('derives the reason from the code %i when the response is not a Status', async (status, body, reason) => {
    const { client } = scripted(status, body)
    await expect(client.get({ ...configMaps, name: 'x' })).rejects.toMatchObject({ reason, code: status })
  })

  test('sends the content type of each patch, and the field manager', async () => {
    const { client, sent } = scripted(200, '{}')
    await client.patch({ ...configMaps, name: 'x' }, { kind: 'apply', object: {}, force: true })
    await client.patch(
      { ...configMaps, name: 'x' },
      { kind: 'strategic', patch: {} },
      { dryRun: true, fieldManager: 'you' },
    )
    expect(sent.map(({ headers, query }) => [headers?.['content-type'], query])).toEqual([
      ['application/apply-patch+yaml', 'fieldManager=me&force=true'],
      ['application/strategic-merge-patch+json', 'fieldManager=you&dryRun=All'],
    ])
  })

  test('reads a list page by page', async () => {
    const client = new FakeApi().client()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.create(configMaps, { metadata: { name } })
    const pages = await Array.fromAsync(client.pages(configMaps, { limit: 2 }))
    expect(pages.map(({ items }) => items.map(({ metadata }) => metadata?.name))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ])
  })

  test('an expired list has a token to continue with', async () => {
    const { client } = scripted(410, '{"kind":"Status","reason":"Expired","code":410,"metadata":{"continue":"now"}}')
    const failure = await client.list(configMaps).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ExpiredListError)
    expect((failure as ExpiredListError).continueToken).toBe('now')
  })

  test('returns only metadata on request', async () => {
    const client = new FakeApi().client()
    await client.create(configMaps, { metadata: { name: 'x' }, data: { a: '1' } })
    expect(await client.get({ ...configMaps, name: 'x' }, { form: 'metadata' })).not.toHaveProperty('data')
    expect((await client.list(configMaps, { form: 'metadata' })).items[0]).not.toHaveProperty('data')
  })
})

describe('watch', () => {
  test('parses events at any chunk boundaries', async () => {
    const { client } = scripted(
      200,
      '{"type":"ADDED","object":{"metadata":{"name":"ä"}}}\n{"type":"DELETED","object":{"metadata":{}}}\n{"ty',
    )
    const events = await Array.fromAsync(client.watch(configMaps))
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'ä'],
      ['DELETED', undefined],
    ])
  })

  test('throws the failure of an ERROR event', async () => {
    const { client } = scripted(200, '{"type":"ERROR","object":{"kind":"Status","reason":"Expired","code":410}}\n')
    await expect(Array.fromAsync(client.watch(configMaps))).rejects.toMatchObject({ reason: 'Expired', code: 410 })
  })

  test('starts after the given revision', async () => {
    const api = new FakeApi()
    const client = api.client()
    const { metadata } = await client.create(configMaps, { metadata: { name: 'old' } })
    await client.create(configMaps, { metadata: { name: 'new' } })
    for await (const { object } of client.watch(configMaps, { resourceVersion: metadata.resourceVersion })) {
      expect(object.metadata.name).toBe('new')
      break
    }
    expect(api.watches.size).toBe(0)
  })
})

describe('discovery', () => {
  test('needs two requests with aggregated discovery', async () => {
    const api = new FakeApi({
      resources: [apiResource('v1', 'pods', 'Pod'), apiResource('x.io/v1', 'things', 'Thing', false)],
    })
    const { resources, failures } = await api.client().discover()
    expect(resources.map(({ group, resource, namespaced }) => [group, resource, namespaced])).toEqual([
      ['', 'pods', true],
      ['x.io', 'things', false],
    ])
    expect(failures).toEqual([])
  })

  test('reports groups whose server does not respond', async () => {
    const api = new FakeApi({ resources: [apiResource('x.io/v1', 'things', 'Thing')], stale: ['x.io/v1'] })
    expect((await api.client().discover()).failures).toMatchObject([{ groupVersion: 'x.io/v1' }])
  })

  test('asks version by version without aggregated discovery', async () => {
    const documents: Record<string, object> = {
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': {
        kind: 'APIGroupList',
        groups: [
          { name: 'x.io', versions: [{ groupVersion: 'x.io/v2', version: 'v2' }], preferredVersion: { version: 'v2' } },
        ],
      },
      '/api/v1': {
        resources: [
          { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] },
          { name: 'pods/status', kind: 'Pod', namespaced: true },
        ],
      },
    }
    const transport: Transport = async ({ path }) => ({
      status: path in documents ? 200 : 503,
      headers: {},
      body: pieces(JSON.stringify(documents[path] ?? {})),
    })
    const { resources, failures } = await new Client({ transport }).discover()
    expect(resources).toEqual([
      {
        group: '',
        version: 'v1',
        resource: 'pods',
        kind: 'Pod',
        namespaced: true,
        verbs: ['get'],
        subresources: ['status'],
        preferred: true,
      },
    ])
    expect(failures).toMatchObject([{ groupVersion: 'x.io/v2' }])
  })
})
