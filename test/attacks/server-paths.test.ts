import { serverPathNames } from '@hykube/server/app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { type Answer, send, tokenOf } from './attacker.ts'

let server: TestServer
let tokens: Readonly<Record<string, string>>

// The account default/default is made cluster-admin of the logical cluster "team" only.
beforeAll(async () => {
  server = await startServer({ arguments: ['--store', 'memory:', '--cluster', 'team'] })
  const body = {
    metadata: { name: 'team-admin' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'default' }],
  }
  const path = '/clusters/team/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
  const bound = await send(server, { method: 'POST', path, token: server.adminToken, body })
  expect(bound.status).toBe(201)
  const token = await tokenOf(server, 'default/default', 'team')
  tokens = { 'its cluster-admin': token, 'the administrator of the server': server.adminToken }
  const nodes = '/clusters/team/api/v1/nodes'
  for (;;) if ((await send(server, { path: nodes, token })).status === 200) break
}, 60_000)
afterAll(() => server?.remove())

const spellings = (path: string): readonly string[] => [
  `/clusters/team${path}`,
  `/clusters/team${path}/`,
  `/clusters/t%65am${path}`,
  `/clusters/team/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
  `/clusters/*${path}`,
]
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
const attacks = serverPathNames.flatMap((path) =>
  spellings(path).flatMap((spelling) => methods.map((method) => ({ method, path: spelling }))),
)
// A token of one logical cluster is 401 in "*".
const isRefused = ({ status }: Answer) => [401, 403, 404].includes(status)

test.each(['its cluster-admin', 'the administrator of the server'])(
  'serves no path of the whole server in another logical cluster to %s',
  async (user) => {
    const served: string[] = []
    for (const { method, path } of attacks) {
      const answer = await send(server, { method, path, token: tokens[user]! })
      if (!isRefused(answer)) served.push(`${method} ${path}: ${answer.status}`)
    }
    expect(served).toEqual([])
  },
)

test('serves no path of the whole server to a token of another logical cluster that names no cluster', async () => {
  for (const path of serverPathNames)
    expect(isRefused(await send(server, { path, token: tokens['its cluster-admin']! })), path).toBe(true)
})

test('serves each path of the whole server in the root cluster', async () => {
  for (const path of serverPathNames) {
    const { status } = await send(server, { path, token: server.adminToken })
    // GET is not the method of the paths that rotate keys, and a store in memory has neither keys nor a backup.
    expect(status, path).not.toBe(404)
  }
})
