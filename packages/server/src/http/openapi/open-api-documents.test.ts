import type { OpenApi } from '@hykube/machinery/resource-type'
import { StatusError } from '@hykube/machinery/status'
import { describe, expect, test, vi } from 'vitest'
import { builtInResourceTypes } from '../../kinds/index.ts'
import { TypeRegistry } from '../../resource/index.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { type OtherPath, parseRequestPath } from '../request-path.ts'
import { OpenApiDocuments } from './open-api-documents.ts'
import { fooType } from './testing/foo-type.ts'

function context(url: string, headers: Record<string, string> = {}, method = 'GET'): RequestContext<OtherPath> {
  const [path = '', query = ''] = url.split('?')
  return {
    request: {
      method,
      path,
      query,
      header: (name) => (headers[name] === undefined ? [] : [headers[name]]),
      headerNames: () => Object.keys(headers),
      body: async () => new Uint8Array(0),
      signal: new AbortController().signal,
      isDisconnected: false,
      peer: { address: '127.0.0.1', certificate: undefined },
    },
    path: parseRequestPath(path) as OtherPath,
    query: new URLSearchParams(query),
    user: { name: 'admin', groups: [] },
    warnings: [],
    turns: { isContended: false, next: async () => {} },
  }
}

function setUp() {
  const types = new TypeRegistry()
  types.serveEverywhere(builtInResourceTypes())
  const documents = new OpenApiDocuments(types, { version: 'v1.2.3' })
  const get = async (url: string, headers?: Record<string, string>) => (await documents.answer(context(url, headers)))!
  const overview = async (prefix = '') =>
    (jsonOf(await get(`${prefix}/openapi/v3`)) as { paths: Record<string, { serverRelativeURL: string }> }).paths
  return { types, documents, get, overview }
}

function jsonOf({ body }: Response): unknown {
  return JSON.parse(Buffer.from(body as Uint8Array).toString())
}

function openApi(fingerprint: string, definitions = () => ({ schema: { type: 'object' } })): OpenApi {
  return { fingerprint, definitions }
}

describe('OpenAPI 3', () => {
  test('lists a document for each group-version, and serves it', async () => {
    const { get, overview } = setUp()
    const paths = await overview()
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1']))
    for (const { serverRelativeURL } of Object.values(paths)) {
      const answer = await get(serverRelativeURL)
      expect(answer.status).toBe(200)
      expect(jsonOf(answer)).toMatchObject({ openapi: '3.0.0', info: { version: 'v1.2.3' } })
    }
  })

  test('can be cached for a year by its hash, and an old hash redirects to it', async () => {
    const { get, overview } = setUp()
    const url = (await overview())['apis/apps/v1']!.serverRelativeURL
    const { headers } = await get(url)
    expect(headers['cache-control']).toBe('public, immutable')
    expect(Date.parse(headers.expires as string) - Date.now()).toBeGreaterThan(360 * 24 * 3600 * 1000)
    expect(await get('/openapi/v3/apis/apps/v1?hash=OLD')).toMatchObject({ status: 301, headers: { location: url } })
    expect((await get('/openapi/v3/apis/apps/v1')).headers['cache-control']).toBeUndefined()
  })

  test.each(['/openapi/v3', '/openapi/v3/api/v1', '/openapi/v2'])(
    '%s is not sent to a client that has it',
    async (url) => {
      const { get } = setUp()
      const etag = (await get(url)).headers.etag as string
      expect(await get(url, { 'if-none-match': `"other", ${etag}` })).toMatchObject({ status: 304, headers: { etag } })
      expect((await get(url, { 'if-none-match': '"other"' })).status).toBe(200)
    },
  )

  test('a hash changes only with its own group-version, without building a document', async () => {
    const { types, overview } = setUp()
    const definitions = vi.fn(() => ({ schema: { type: 'object' } }))
    types.serve('root', 'foos', [fooType(openApi('1', definitions))])
    const first = await overview()
    types.serve('root', 'foos', [fooType(openApi('2', definitions))])
    const second = await overview()
    types.serve('root', 'foos', [fooType(openApi('2', definitions))])
    const foos = 'apis/stable.example.com/v1'
    expect(second[foos]).not.toEqual(first[foos])
    expect({ ...second, [foos]: null }).toEqual({ ...first, [foos]: null })
    expect(await overview()).toEqual(second)
    expect(definitions).not.toHaveBeenCalled()
  })

  test('an unchanged document is not built again', async () => {
    const { types, get } = setUp()
    const definitions = vi.fn(() => ({ schema: { type: 'object' } }))
    types.serve('root', 'foos', [fooType(openApi('1', definitions))])
    const first = await get('/openapi/v3/apis/stable.example.com/v1')
    types.serve('root', 'others', [fooType(openApi('1'), { group: 'other.com' })])
    expect((await get('/openapi/v3/apis/stable.example.com/v1')).body).toBe(first.body)
    expect(definitions).toHaveBeenCalledTimes(1)
  })

  test('a logical cluster has its own documents, and shares equal ones', async () => {
    const { types, get, overview } = setUp()
    types.serve('team', 'foos', [fooType(openApi('1'))])
    const [root, team] = [await overview(), await overview('/clusters/team')]
    expect(root['apis/stable.example.com/v1']).toBeUndefined()
    const url = team['apis/stable.example.com/v1']!.serverRelativeURL
    expect(url).toMatch(/^\/clusters\/team\/openapi\/v3\/apis\/stable\.example\.com\/v1\?hash=/)
    expect(jsonOf(await get(url))).toMatchObject({ components: { schemas: { 'com.example.stable.v1.Foo': {} } } })
    expect((await get(team['api/v1']!.serverRelativeURL)).body).toBe((await get('/openapi/v3/api/v1')).body)
  })

  test('is available in protobuf', async () => {
    const { get } = setUp()
    const type = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'
    const [json, binary] = [await get('/openapi/v3/api/v1'), await get('/openapi/v3/api/v1', { accept: type })]
    expect(binary.headers['content-type']).toBe(type)
    expect(binary.headers.etag).not.toBe(json.headers.etag)
    expect((binary.body as Uint8Array)[0]).toBe((1 << 3) | 2)
  })

  test('unknown group-versions and methods get no response', async () => {
    const { documents } = setUp()
    for (const url of ['/openapi/v3/apis/none/v1', '/openapi/v3/apis/apps', '/openapi/v1', '/openapi', '/version'])
      expect(await documents.answer(context(url))).toBeUndefined()
    expect(await documents.answer(context('/openapi/v3', {}, 'POST'))).toBeUndefined()
  })
})

describe('OpenAPI 2', () => {
  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json;q=0.5, text/html', 'application/json'],
    [
      'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    ],
    [
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    ],
  ])('is served for Accept %s as %s', async (accept, expected) => {
    const { get } = setUp()
    const answer = await get('/openapi/v2', accept === undefined ? {} : { accept })
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': expected, vary: 'Accept' } })
  })

  test('has no other form', async () => {
    const { get } = setUp()
    const refusal = await get('/openapi/v2', { accept: 'text/html' }).catch(StatusError.from)
    expect(refusal).toMatchObject({ code: 406 })
  })

  test('has every path and definition of the cluster', async () => {
    const { types, get } = setUp()
    types.serve('root', 'foos', [fooType(openApi('1'))])
    const document = jsonOf(await get('/openapi/v2')) as Record<string, Record<string, unknown>>
    expect(Object.keys(document.paths!)).toEqual(
      expect.arrayContaining([
        '/api/v1/namespaces/{namespace}/pods/{name}',
        '/apis/stable.example.com/v1/namespaces/{namespace}/foos/{name}',
      ]),
    )
    expect(document.definitions!['com.example.stable.v1.Foo']).toMatchObject({
      type: 'object',
      properties: { metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' } },
      'x-kubernetes-group-version-kind': [{ group: 'stable.example.com', version: 'v1', kind: 'Foo' }],
    })
    expect(JSON.stringify(document)).not.toContain('#/components/')
  })
})
