import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { type Attack, send, tokenOf } from './attacker.ts'

let server: TestServer
let weak: string

const admin = (attack: Attack) => send(server, { token: server.adminToken, ...attack })
const asWeak = (attack: Attack) => send(server, { token: weak, ...attack })
const rbac = '/apis/rbac.authorization.k8s.io/v1'

// Somebody who may read ConfigMaps in one namespace and write roles and bindings there, but holds nothing else.
beforeAll(async () => {
  server = await startServer()
  weak = await tokenOf(server, 'default/default')
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles', 'rolebindings'],
      verbs: ['create', 'update', 'patch'],
    },
  ]
  await admin({ method: 'POST', path: `${rbac}/namespaces/default/roles`, body: { metadata: { name: 'weak' }, rules } })
  const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'weak' }
  await admin({
    method: 'POST',
    path: `${rbac}/namespaces/default/rolebindings`,
    body: { metadata: { name: 'weak' }, subjects, roleRef },
  })
  for (const name of ['one', 'two'])
    await admin({ method: 'POST', path: '/api/v1/namespaces/default/secrets', body: { metadata: { name } } })
  for (;;) if ((await asWeak({ path: '/api/v1/namespaces/default/configmaps' })).status === 200) break
})

afterAll(() => server.remove())

describe('acting as somebody else', () => {
  test.each<[string, Record<string, string>]>([
    ['the administrator', { 'impersonate-user': 'admin' }],
    ['a group of masters', { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' }],
    ['another account', { 'impersonate-user': 'system:serviceaccount:kube-system:default' }],
    ['the server itself', { 'impersonate-user': 'system:apiserver', 'impersonate-group': 'system:masters' }],
    ['with a uid', { 'impersonate-user': 'admin', 'impersonate-uid': '1' }],
    ['with extras', { 'impersonate-user': 'admin', 'impersonate-extra-scopes': 'all' }],
  ])('%s is forbidden', async (_, headers) => {
    const { status, document } = await asWeak({ path: '/api/v1/secrets', headers })
    expect(status).toBe(403)
    expect(document.message).toContain('cannot impersonate')
  })

  test.each<[Record<string, string>]>([
    [{ 'impersonate-group': 'system:masters' }],
    [{ 'impersonate-uid': '1' }],
    [{ 'impersonate-extra-a': 'b' }],
  ])('%j without a user is refused, also to the administrator', async (headers) => {
    expect((await admin({ path: '/api/v1/secrets', headers })).status).toBeGreaterThanOrEqual(400)
  })

  test('user headers of a proxy are ignored', async () => {
    const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }
    expect((await asWeak({ path: '/api/v1/secrets', headers })).status).toBe(403)
    expect((await send(server, { path: '/api/v1/secrets', headers })).status).toBe(403)
  })
})

describe('taking more than one holds', () => {
  const secrets = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]
  test.each<[string, Attack]>([
    [
      'by a role',
      { method: 'POST', path: `${rbac}/namespaces/default/roles`, body: { metadata: { name: 'x' }, rules: secrets } },
    ],
    [
      'by changing one’s role',
      {
        method: 'PATCH',
        path: `${rbac}/namespaces/default/roles/weak`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { rules: secrets },
      },
    ],
    [
      'by applying to one’s role',
      {
        method: 'PATCH',
        path: `${rbac}/namespaces/default/roles/weak?fieldManager=x&force=true`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'weak' }, rules: secrets },
      },
    ],
    [
      'by a binding',
      {
        method: 'POST',
        path: `${rbac}/namespaces/default/rolebindings`,
        body: {
          metadata: { name: 'x' },
          subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        },
      },
    ],
  ])('%s is forbidden', async (_, attack) => {
    const { status, document } = await asWeak(attack)
    expect(status).toBe(403)
    expect(document.message).toContain('is attempting to grant RBAC permissions not currently held')
  })

  test('cluster roles are out of reach', async () => {
    const body = { metadata: { name: 'x' }, rules: secrets }
    expect((await asWeak({ method: 'POST', path: `${rbac}/clusterroles`, body })).status).toBe(403)
  })

  test('a name in the body, a query or a subresource gives no more', async () => {
    const paths = [
      '/api/v1/namespaces/default/secrets/one',
      '/api/v1/namespaces/default/secrets/one/status',
      '/api/v1/secrets?fieldSelector=metadata.namespace=default',
      '/api/v1/namespaces/default/secrets?watch=1',
      '/api/v1/watch/namespaces/default/secrets',
      '/api/v1/namespaces/kube-system/configmaps',
      '/api/v1/configmaps',
      '/api/v1/namespaces/default/configmaps/../secrets/one',
    ]
    for (const path of paths) expect([403, 404]).toContain((await asWeak({ path })).status)
  })

  test('another’s continue token leads into one’s own list alone', async () => {
    const page = await admin({ path: '/api/v1/namespaces/default/secrets?limit=1' })
    const token = encodeURIComponent(page.document.metadata.continue)
    const { status, document } = await asWeak({ path: `/api/v1/namespaces/default/configmaps?continue=${token}` })
    expect(status).toBe(200)
    expect(document.items.every(({ data }: { data: object }) => 'ca.crt' in data)).toBe(true)
    expect((await asWeak({ path: `/api/v1/namespaces/default/secrets?continue=${token}` })).status).toBe(403)
  })
})
