import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { send, tokenOf } from './attacker.ts'

let server: TestServer
let rootToken: string

beforeAll(async () => {
  server = await startServer({ arguments: ['--store', 'memory:', '--cluster', 'other'] })
  const secret = { metadata: { name: 'secret' }, data: { key: Buffer.from('treasure').toString('base64') } }
  for (const cluster of ['root', 'other']) {
    const path = `/clusters/${cluster}/api/v1/namespaces/default/secrets`
    await send(server, { method: 'POST', path, token: server.adminToken, body: secret })
  }
  rootToken = await tokenOf(server, 'default/default')
  // The account of the same name in the other cluster may do everything there.
  const binding = {
    metadata: { name: 'all' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  }
  const path = '/clusters/other/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
  await send(server, { method: 'POST', path, token: server.adminToken, body: binding })
  const otherToken = await tokenOf(server, 'default/default', 'other')
  for (;;) {
    const { status } = await send(server, { path: '/clusters/other/api/v1/secrets', token: otherToken })
    if (status === 200) break
  }
})

afterAll(() => server.remove())

const treasure = Buffer.from('treasure').toString('base64')

describe('a path that plays tricks', () => {
  test.each([
    '/api/v1/namespaces/default/configmaps/../secrets/secret',
    '/api/v1/namespaces/default/configmaps/%2e%2e/secrets/secret',
    '/api/v1/namespaces/default/configmaps/%2E%2E%2Fsecrets%2Fsecret',
    '/api/v1/namespaces/default/configmaps/..%2fsecrets%2fsecret',
    '/livez/../api/v1/secrets',
    '/livez/%2e%2e/api/v1/secrets',
    '//api/v1/secrets',
    '/api//v1/secrets',
    '/api/v1//namespaces/default/secrets/secret',
    '/./api/v1/secrets',
    '/api/v1/./secrets',
    '/api/v1/namespaces/default%2Fsecrets/secret',
    '/%61pi/v1/secrets',
    '/api/v1/namespaces/default/secrets%00/secret',
    '/api/v1/namespaces/default/secrets/secret%00',
    '/api/v1/namespaces/default/secrets/secret%2500',
    '/api/v1/secrets%',
    '/api/v1/secrets%zz',
    '/api/v1/secrets%c0%ae',
    '/api/v1/namespaces/default/secrets/secret;x=y',
    '/api/v1/namespaces/default/secrets\\secret',
    '\\api\\v1\\secrets',
    '/API/V1/secrets',
    'http://evil.example/api/v1/secrets',
    '*',
  ])('%s shows nobody what they may not see', async (path) => {
    for (const token of [undefined, rootToken]) {
      // The server may close the connection on a malformed path.
      const hungUp = { status: 400, text: '' }
      const { status, text } = await send(server, { path, ...(token && { token }) }).catch(() => hungUp)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(text).not.toContain(treasure)
    }
  })

  test('an encoded name is decoded once', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const name = 'odd:%2f'
    await send(server, { method: 'POST', path, token: server.adminToken, body: { metadata: { name: 'a:b' } } })
    const found = await send(server, { path: `${path}/a%3Ab`, token: server.adminToken })
    expect(found.document.metadata.name).toBe('a:b')
    const odd = await send(server, {
      path: `${path}/${encodeURIComponent(encodeURIComponent(name))}`,
      token: server.adminToken,
    })
    expect(odd.status).toBe(404)
  })
})

describe('a token of one logical cluster', () => {
  const own = 'root'
  test.each([
    '/clusters/other/api/v1/namespaces/default/secrets/secret',
    '/%63lusters/other/api/v1/namespaces/default/secrets/secret',
    '/clusters/%6fther/api/v1/namespaces/default/secrets/secret',
    `/clusters/${own}/../other/api/v1/namespaces/default/secrets/secret`,
    '/clusters/root%2F..%2Fother/api/v1/namespaces/default/secrets/secret',
    '/clusters//other/api/v1/namespaces/default/secrets/secret',
    `/clusters/${own}/clusters/other/api/v1/namespaces/default/secrets/secret`,
    '/clusters/*/api/v1/secrets',
    '/clusters/%2a/api/v1/secrets',
    '/clusters/other%00/api/v1/secrets',
    '/clusters/nothere/api/v1/secrets',
    '/clusters/OTHER/api/v1/secrets',
  ])('reads nothing by %s', async (path) => {
    const { status, text } = await send(server, { path, token: rootToken })
    expect([400, 401, 403, 404]).toContain(status)
    expect(text).not.toContain(treasure)
  })

  test('does not reach another by names with separators in them', async () => {
    const names = ['default\0other', 'default%2Fother', 'other/default', '../other/default', '*', '']
    for (const name of names) {
      const path = `/api/v1/namespaces/${encodeURIComponent(name)}/secrets/secret`
      const { status, text } = await send(server, { path, token: server.adminToken })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(treasure)
    }
  })

  test('a continue token of one gives nothing of another', async () => {
    const list = (cluster: string, query: string) =>
      send(server, { path: `/clusters/${cluster}/api/v1/secrets${query}`, token: server.adminToken })
    await send(server, {
      method: 'POST',
      path: '/clusters/other/api/v1/namespaces/default/secrets',
      token: server.adminToken,
      body: { metadata: { name: 'z-second' } },
    })
    const { document } = await list('other', '?limit=1')
    const forgedToken = JSON.parse(Buffer.from(document.metadata.continue, 'base64url').toString())
    for (const c of ['other', 'root', '*', '../other']) {
      const text = Buffer.from(JSON.stringify({ ...forgedToken, c })).toString('base64url')
      const { document: page } = await list('root', `?continue=${text}`)
      for (const { metadata } of page.items ?? []) expect(metadata.annotations?.['kcp.io/cluster']).toBeUndefined()
    }
  })

  test('a resource version or uid of one is no precondition in another', async () => {
    const path = (cluster: string) => `/clusters/${cluster}/api/v1/namespaces/default/secrets/secret`
    const { document } = await send(server, { path: path('root'), token: server.adminToken })
    const { uid, resourceVersion } = document.metadata
    const put = await send(server, {
      method: 'PUT',
      path: path('other'),
      token: server.adminToken,
      body: { metadata: { name: 'secret', uid, resourceVersion } },
    })
    expect(put.status).toBe(409)
    const gone = await send(server, {
      method: 'DELETE',
      path: path('other'),
      token: server.adminToken,
      body: { preconditions: { uid } },
    })
    expect(gone.status).toBe(409)
  })
})
