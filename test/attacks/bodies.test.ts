import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { type Answer, send } from './attacker.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.remove())

const path = '/api/v1/namespaces/default/configmaps'

function post(body: string | Uint8Array, contentType = 'application/json', query = ''): Promise<Answer> {
  const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }
  return send(server, { method: 'POST', path: path + query, token: server.adminToken, body, headers })
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

// Nine levels of nine aliases each: 387 million values out of 600 bytes.
const aliasBomb = ['a: &a ["x","x","x","x","x","x","x","x","x"]']
  .concat('bcdefghi'.split('').map((letter, at) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdefghi'[at]}`)}]`))
  .join('\n')

describe('a body', () => {
  test.each<[string, () => Promise<Answer>, number[]]>([
    ['of aliases of aliases', () => post(aliasBomb, 'application/yaml'), [400]],
    ['that merges itself', () => post('a: &a\n  <<: *a\n', 'application/yaml'), [400]],
    ['with arrays in arrays', () => post(`{"data":${nested('[', ']', 100_000)}}`), [400]],
    ['with objects in objects', () => post(`{"data":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`), [400]],
    ['with flow sequences in YAML', () => post(`data: ${nested('[', ']', 50_000)}`, 'application/yaml'), [400]],
    ['of deep indentation', () => post(deepYaml(2_000), 'application/yaml'), [400]],
    ['of an open end', () => post('{"metadata":{"name":"a"'), [400]],
    ['of nothing', () => post(''), [400]],
    ['of null', () => post('null'), [422]],
    ['of a list', () => post('[]'), [400]],
    ['of a text', () => post('"x"'), [400]],
    ['of bytes that are no UTF-8', () => post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), [400]],
    [
      'of YAML bytes that are no UTF-8',
      () => post(Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]), 'application/yaml'),
      [400],
    ],
    [
      'with a key twice, strictly',
      () => post('{"metadata":{"name":"a","name":"b"}}', undefined, '?fieldValidation=Strict'),
      [400],
    ],
    ['with a very large number', () => post(`{"metadata":{"name":"n","generation":1e400}}`), [400, 422]],
    [
      'with a number of many digits',
      () => post(`{"metadata":{"name":"n","generation":${'9'.repeat(100_000)}}}`),
      [400, 422],
    ],
    ['larger than the limit', () => post(Buffer.alloc(3 * 1024 * 1024 + 1, 0x20)), [413]],
    ['of protobuf that is none', () => post('k8s\0nonsense', 'application/vnd.kubernetes.protobuf'), [400]],
    ['of protobuf that ends early', () => post('k8s\0\x0a\x7f', 'application/vnd.kubernetes.protobuf'), [400]],
    ['in a form nobody reads', () => post('<a/>', 'application/xml'), [415]],
    ['in CBOR', () => post(Buffer.from([0xa0]), 'application/cbor'), [415]],
    ['with a billion laughs of labels', () => post(manyLabels()), [201, 400, 413, 422]],
  ])('%s is answered for, quickly', async (_, attack, expected) => {
    const began = performance.now()
    const { status, document } = await attack()
    expect(expected).toContain(status)
    if (status >= 400) expect(document).toMatchObject({ kind: 'Status', status: 'Failure', code: status })
    expect(performance.now() - began).toBeLessThan(3000)
    expect((await send(server, { path: '/livez' })).status).toBe(200)
  })

  test('a key twice counts the last, with a warning', async () => {
    const { status, headers, document } = await post('{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"}}')
    expect(status).toBe(201)
    expect(document.data).toEqual({ a: '2' })
    expect(String(headers.warning)).toContain('duplicate field')
  })

  test('names of JavaScript’s own are names like others', async () => {
    const body = '{"metadata":{"name":"proto","annotations":{"constructor":"y"}},"data":{"__proto__":"z"}}'
    const { status, document } = await post(body)
    expect(status).toBe(201)
    expect(document.metadata.annotations).toEqual({ constructor: 'y' })
    expect(Object.getOwnPropertyNames(document.data)).toEqual(['__proto__'])
    const { document: other } = await post('{"metadata":{"name":"plain"}}')
    expect(other.x).toBeUndefined()
  })
})

describe('a patch', () => {
  const patch = (body: unknown, type: string) => {
    const bytes = JSON.stringify(body)
    const headers = { 'content-type': `application/${type}`, 'content-length': Buffer.byteLength(bytes) }
    return send(server, {
      method: 'PATCH',
      path: `${path}/kube-root-ca.crt`,
      token: server.adminToken,
      body: bytes,
      headers,
    })
  }

  test('of too many steps is refused', async () => {
    const steps = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }))
    expect((await patch(steps, 'json-patch+json')).status).toBe(413)
  })

  test('an alias that doubles an object again and again is refused', async () => {
    const copies = Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '/data', path: `/data/x${at}` }))
    const { status } = await patch([{ op: 'add', path: '/data', value: { a: 'x' } }, ...copies], 'json-patch+json')
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  test.each([
    [[{ op: 'add', path: '/__proto__/polluted', value: 1 }], 'json-patch+json'],
    [[{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }], 'json-patch+json'],
    [{ constructor: { prototype: { polluted: 1 } } }, 'merge-patch+json'],
    [{ constructor: { prototype: { polluted: 1 } } }, 'strategic-merge-patch+json'],
    [{ data: { $patch: 'explode' } }, 'strategic-merge-patch+json'],
  ])('%j does no harm', async (body, type) => {
    const { status } = await patch(body, type)
    expect(status).toBeLessThan(500)
    expect(
      (await send(server, { path: `${path}/kube-root-ca.crt`, token: server.adminToken })).document.polluted,
    ).toBeUndefined()
  })
})

function deepYaml(depth: number): string {
  return Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:`).join('\n')
}

function manyLabels(): string {
  const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`l${at}`, 'x']))
  return JSON.stringify({ metadata: { name: 'labels', labels } })
}
