import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import type { Attack } from './attacker.ts'
import { type AttackSession, openSession } from './session.ts'

/** A resource or subresource as discovery lists it. */
interface Kind {
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly root: string
  readonly resource: string
  /** Empty for the resource itself. */
  readonly subresource: string
  readonly namespaced: boolean
}

let server: TestServer
let session: AttackSession
let directory: string
let kinds: readonly Kind[]

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const noRoles = 'token-without-roles'
const blueAdmin = 'token-with-all-in-blue'

const admin = (attack: Attack) => session.send({ token: server.adminToken, ...attack })
const post = (path: string, body: object) => admin({ method: 'POST', path, body })

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hykube-scopes-'))
  const tokens = join(directory, 'tokens.csv')
  writeFileSync(tokens, `${noRoles},nora,1\n${blueAdmin},dora,2\n`)
  server = await startServer({ arguments: ['--store', 'memory:', '--token-auth-file', tokens] })
  session = openSession(server)
  for (const name of ['blue', 'victim']) await post('/api/v1/namespaces', { metadata: { name } })
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
  await post(`${rbac}/namespaces/blue/roles`, { metadata: { name: 'all' }, rules })
  await post(`${rbac}/namespaces/blue/rolebindings`, {
    metadata: { name: 'all' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'dora' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'all' },
  })
  for (const scope of ['Namespaced', 'Cluster'])
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(scope))
  await post('/apis/hykube.io/v1alpha1/providers', { metadata: { name: 'sim' }, spec: { source: 'hykube/sim' } })
  kinds = await discovered()
}, 60_000)

afterAll(async () => {
  session?.close()
  await server?.remove()
  rmSync(directory, { recursive: true, force: true })
})

test('the table has built-in kinds, definitions of both scopes, and kinds of providers', () => {
  const names = kinds.map(({ root, resource, subresource }) => `${root} ${resource}/${subresource}`)
  expect(names).toEqual(
    expect.arrayContaining([
      '/api/v1 namespaces/finalize',
      '/api/v1 serviceaccounts/token',
      '/apis/hykube.io/v1alpha1 plans/approval',
      '/apis/hykube.io/v1alpha1 providers/',
      '/apis/scopes.example.com/v1 clusterthings/scale',
      '/apis/scopes.example.com/v1 namespacedthings/status',
      '/apis/sim.hykube.io/v1 sim-instances/state',
    ]),
  )
})

describe('a path whose scope is not that of its kind', () => {
  test('is not found, whatever the user may do, by any method', { timeout: 60_000 }, async () => {
    const wrong = kinds.flatMap(misplacedPaths)
    expect(wrong.length).toBeGreaterThan(400)
    const attacks = wrong.flatMap((path) => attacksOn(path))
    const before = await clusterObjects()
    const found: string[] = []
    for (const token of [noRoles, blueAdmin, server.adminToken])
      await inParallel(attacks, async (attack) => {
        const { status } = await session.send({ ...attack, token })
        if (status !== 404) found.push(`${attack.method} ${attack.path}: ${status}`)
      })
    expect(found).toEqual([])
    expect(await clusterObjects()).toEqual(before)
  })

  test('is not found by a client that acts as another user', async () => {
    const headers = { 'impersonate-user': 'dora' }
    const { status } = await admin({ path: '/api/v1/namespaces/blue/namespaces/victim', method: 'DELETE', headers })
    expect(status).toBe(404)
  })

  test('is authorized where the scopes agree', async () => {
    const may = async (path: string, method = 'GET') => (await session.send({ path, method, token: blueAdmin })).status
    expect(await may('/api/v1/namespaces/blue')).toBe(200)
    expect(await may('/api/v1/namespaces/blue/status')).toBe(200)
    expect(await may('/api/v1/namespaces/blue/configmaps')).toBe(200)
    expect(await may('/api/v1/namespaces/victim')).toBe(403)
    expect(await may('/api/v1/namespaces/victim', 'DELETE')).toBe(403)
    expect(await may('/api/v1/namespaces')).toBe(403)
    expect(await may('/api/v1/configmaps')).toBe(403)
    expect(await may(`${rbac}/clusterroles/view`, 'DELETE')).toBe(403)
  })
})

test('objects of all namespaces are only listed and watched', { timeout: 30_000 }, async () => {
  const collections = kinds.filter(({ namespaced, subresource }) => namespaced && subresource === '')
  const unexpected: string[] = []
  await inParallel(collections, async ({ root, resource }) => {
    for (const method of ['POST', 'DELETE'])
      for (const [token, expected] of [
        [blueAdmin, [403]],
        [server.adminToken, root.includes('.example.com') || root.includes('hykube.io') ? [404] : [405]],
      ] as const) {
        const { status } = await session.send({ method, path: `${root}/${resource}`, token, body: {} })
        if (!(expected as readonly number[]).includes(status))
          unexpected.push(`${method} ${root}/${resource}: ${status}`)
      }
  })
  expect(unexpected).toEqual([])
})

function misplacedPaths({ root, resource, subresource, namespaced }: Kind): string[] {
  const under = subresource === '' ? '' : `/${subresource}`
  const named = ['victim', 'view', 'blue'].map((name) => `${resource}/${name}${under}`)
  const collection = subresource === '' ? [resource] : []
  if (namespaced)
    return [
      ...named.map((path) => `${root}/${path}`),
      ...[...collection, ...named].map((path) => `${root}/namespaces//${path}`),
    ]
  return ['blue', 'victim', ''].flatMap((namespace) =>
    [...collection, ...named].map((path) => `${root}/namespaces/${namespace}/${path}`),
  )
}

function attacksOn(path: string): Attack[] {
  const patch = (type: string, body: string) => ({ path, method: 'PATCH', headers: { 'content-type': type }, body })
  const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' }
  return [
    { path, method: 'GET' },
    { path: `${path}?watch=1`, method: 'GET' },
    { path, method: 'POST', body: { metadata: { name: 'made' } } },
    { path, method: 'POST', headers: protobuf, body: Buffer.from('k8s\0') },
    { path, method: 'PUT', body: { metadata: { name: 'made' } } },
    patch('application/merge-patch+json', '{}'),
    patch('application/apply-patch+yaml', '{}'),
    { path, method: 'DELETE' },
    { path, method: 'OPTIONS' },
  ]
}

async function discovered(): Promise<Kind[]> {
  for (;;) {
    const { document: groups } = await admin({ path: '/apis' })
    const roots = groups.groups.flatMap(({ versions }: { versions: { groupVersion: string }[] }) =>
      versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
    )
    const found = await Promise.all(['/api/v1', ...roots].map(kindsAt))
    const all = found.flat()
    const wanted = ['namespacedthings', 'clusterthings', 'sim-instances']
    if (wanted.every((resource) => all.some((kind) => kind.resource === resource))) return all
  }
}

async function kindsAt(root: string): Promise<Kind[]> {
  const { document } = await admin({ path: root })
  return document.resources.map(({ name, namespaced }: { name: string; namespaced: boolean }) => {
    const [resource = '', subresource = ''] = name.split('/')
    return { root, resource, subresource, namespaced }
  })
}

async function clusterObjects(): Promise<string[]> {
  const lists = kinds.filter(({ namespaced, subresource }) => !namespaced && subresource === '')
  const answers = await Promise.all(lists.map(({ root, resource }) => admin({ path: `${root}/${resource}` })))
  return answers.flatMap(({ document }, at) =>
    (document.items ?? []).map(
      ({ metadata }: { metadata: { name: string } }) => `${lists[at]!.resource}/${metadata.name}`,
    ),
  )
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const worker = async () => {
    for (const one of rest) await work(one)
  }
  await Promise.all(Array.from({ length: 32 }, worker))
}

function definition(scope: string): object {
  const plural = `${scope === 'Cluster' ? 'cluster' : 'namespaced'}things`
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } },
    },
  }
  return {
    metadata: { name: `${plural}.scopes.example.com` },
    spec: {
      group: 'scopes.example.com',
      scope,
      names: { plural, singular: plural.slice(0, -1), kind: `${scope}Thing`, listKind: `${scope}ThingList` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
        },
      ],
    },
  }
}
