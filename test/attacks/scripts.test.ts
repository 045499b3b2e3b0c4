import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { type Answer, type Attack, send } from './attacker.ts'

const root = '/apis/hykube.io/v1alpha1'
const plans = `${root}/namespaces/default/plans`
const data = '/apis/data.script.hykube.io/v1/namespaces/default/script-data'
const resources = '/apis/script.hykube.io/v1/namespaces/default/script-resources'
const configurations = `${root}/namespaces/default/providerconfigs`
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const reading = { interpreter: ['/bin/sh', '-c'], read: [`printf '{"output":"%s"}' "$(id -u)"`] }

const everything = (but: string) => ({
  rules: [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'] },
    ...(but === ''
      ? []
      : [{ apiGroups: ['hykube.io'], resources: ['providers'], verbs: ['use'], resourceNames: [but] }]),
  ],
})

class Server {
  readonly server: TestServer
  #plans = 0

  constructor(server: TestServer) {
    this.server = server
  }

  // ann holds every usual verb and not "use"; uma holds "use" on the Provider besides.
  static async start(...args: readonly string[]): Promise<Server> {
    const started = new Server(await startServer({ arguments: ['--store', 'memory:', ...args] }))
    for (const [user, but] of [
      ['ann', ''],
      ['uma', 'script'],
    ] as const) {
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user }
      const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }]
      const metadata = { name: user }
      await started.post(`${rbac}/clusterroles`, { metadata, ...everything(but) })
      await started.post(`${rbac}/clusterrolebindings`, { metadata, roleRef, subjects })
      for (;;) if ((await started.as(user, { path: plans })).status === 200) break
    }
    await started.post(`${root}/providers`, { metadata: { name: 'script' }, spec: { source: 'hykube/script' } })
    for (;;) if ((await started.as('admin', { path: data })).status === 200) break
    return started
  }

  as(user: string, attack: Attack): Promise<Answer> {
    const headers = user === 'admin' ? {} : { 'impersonate-user': user, 'impersonate-group': 'system:authenticated' }
    return send(this.server, { token: this.server.adminToken, ...attack, headers: { ...headers, ...attack.headers } })
  }

  async post(path: string, body: object): Promise<void> {
    const { status, text } = await this.as('admin', { method: 'POST', path, body })
    expect(`${status} ${text}`).toMatch(/^201 /)
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  async plan(user: string): Promise<{ status: any; changes: readonly any[] }> {
    const name = `plan-${this.#plans++}`
    const { status } = await this.as(user, { method: 'POST', path: plans, body: { metadata: { name } } })
    expect(status).toBe(201)
    const one = () => this.as('admin', { path: `${plans}/${name}` }).then(({ document }) => document.status)
    await expect.poll(async () => (await one()).phase, { timeout: 30_000 }).not.toMatch(/Pending|Planning/)
    const changes = await this.as('admin', { path: `${plans}/${name}/changes` })
    return { status: await one(), changes: changes.document.items }
  }
}

describe('without --allow-local-scripts', () => {
  let server: Server
  beforeAll(async () => {
    server = await Server.start()
  }, 60_000)
  afterAll(() => server?.server.remove())

  test('a command on the host of the server does not run, not even for an administrator', async () => {
    await server.post(data, { metadata: { name: 'local' }, spec: reading })
    const { status, changes } = await server.plan('admin')
    expect(status.summary).toMatchObject({ blocked: 1, read: 0 })
    expect(changes[0].message).toContain('start the server with --allow-local-scripts')
    const { document } = await server.as('admin', { path: `${data}/local` })
    expect(document.status?.attributes).toBeUndefined()
  })

  test('a configuration with a connection is used', async () => {
    const connection = { host: '127.0.0.1', port: 1, host_key: 'ssh-ed25519 AAAA' }
    await server.post(configurations, {
      metadata: { name: 'far' },
      spec: { provider: 'script', config: { connection } },
    })
    await server.post(data, { metadata: { name: 'far' }, spec: { ...reading, provider: 'far' } })
    const { changes } = await server.plan('admin')
    const far = changes.find(({ name }: { name: string }) => name === 'far')
    expect(JSON.stringify(far)).toMatch(/127\.0\.0\.1/)
    expect(JSON.stringify(far)).not.toContain('--allow-local-scripts')
  })
})

describe('a Restricted Provider', () => {
  let server: Server
  beforeAll(async () => {
    server = await Server.start('--allow-local-scripts')
    await server.post(data, { metadata: { name: 'of-admin' }, spec: reading })
    await server.post(resources, { metadata: { name: 'of-admin' }, spec: { create: ['/bin/true'] } })
  }, 60_000)
  afterAll(() => server?.server.remove())

  const patch = (type: string) => ({ 'content-type': `application/${type}` })
  const applied = { apiVersion: 'data.script.hykube.io/v1', kind: 'ScriptData', metadata: { name: 'x' }, spec: reading }

  test.each<[string, Attack]>([
    ['create', { method: 'POST', path: data, body: { metadata: { name: 'x' }, spec: reading } }],
    [
      'create in a dry run',
      { method: 'POST', path: `${data}?dryRun=All`, body: { metadata: { name: 'x' }, spec: reading } },
    ],
    ['update', { method: 'PUT', path: `${data}/of-admin`, body: { spec: { read: ['x'] } } }],
    [
      'merge patch',
      {
        method: 'PATCH',
        path: `${data}/of-admin`,
        headers: patch('merge-patch+json'),
        body: { spec: { read: ['x'] } },
      },
    ],
    [
      'patch of a label',
      {
        method: 'PATCH',
        path: `${data}/of-admin`,
        headers: patch('merge-patch+json'),
        body: { metadata: { labels: { a: 'b' } } },
      },
    ],
    ['apply', { method: 'PATCH', path: `${data}/x?fieldManager=f`, headers: patch('apply-patch+yaml'), body: applied }],
    [
      'apply in a dry run',
      {
        method: 'PATCH',
        path: `${data}/x?fieldManager=f&dryRun=All`,
        headers: patch('apply-patch+yaml'),
        body: applied,
      },
    ],
    [
      'create of a resource',
      { method: 'POST', path: resources, body: { metadata: { name: 'x' }, spec: { create: ['x'] } } },
    ],
    ['taking over a state', { method: 'POST', path: `${resources}/x/state`, body: { instances: [] } }],
    ['undelete', { method: 'POST', path: `${resources}/of-admin/undelete`, body: {} }],
    ['resolve', { method: 'POST', path: `${resources}/of-admin/resolve`, body: { decision: 'Retry' } }],
    [
      'a ProviderConfig',
      { method: 'POST', path: configurations, body: { metadata: { name: 'x' }, spec: { provider: 'script' } } },
    ],
  ])('%s without the verb use is 403 and names the verb', async (_, attack) => {
    const headers = attack.headers ?? {}
    const now = attack.method === 'PUT' ? await server.as('admin', { path: attack.path }) : undefined
    const body = now === undefined ? attack.body : { ...now.document, ...(attack.body as object) }
    const { status, document } = await server.as('ann', { ...attack, headers, ...(body !== undefined && { body }) })
    expect(status).toBe(403)
    expect(document.message).toContain('requires the verb "use" on resource "providers" named "script"')
  })

  test('a plan of an author without the verb use runs nothing', async () => {
    const { status, changes } = await server.plan('ann')
    expect(status.summary).toMatchObject({ blocked: 2, create: 0, read: 0 })
    for (const { message } of changes) expect(message).toContain('User "ann" cannot use Provider "script"')
    const { document } = await server.as('admin', { path: `${data}/of-admin` })
    expect(document.status?.attributes).toBeUndefined()
  })

  test('a user with the verb use writes and plans, and the plan lists the command that it ran', async () => {
    const { status: created } = await server.as('uma', {
      method: 'POST',
      path: data,
      body: { metadata: { name: 'of-uma' }, spec: reading },
    })
    expect(created).toBe(201)
    const { status, changes } = await server.plan('uma')
    expect(status.summary).toMatchObject({ blocked: 0, create: 1, read: 2, readWhilePlanning: 2 })
    expect(changes.find(({ name }: { name: string }) => name === 'of-uma')).toMatchObject({
      action: 'read',
      outcome: { result: 'applied', message: 'read while planning' },
    })
    // The result of the read is stored, so the next plan does not run the command again.
    expect((await server.plan('uma')).status.summary).toMatchObject({ read: 0, create: 1 })
  })

  test('the author of a plan can not be forged', async () => {
    const annotations = { 'hykube.io/author': 'admin', 'hykube.io/author-identity': '{"groups":["system:masters"]}' }
    const body = { metadata: { name: 'forged', annotations } }
    const { document } = await server.as('ann', { method: 'POST', path: plans, body })
    expect(document.metadata.annotations['hykube.io/author']).toBe('ann')
    expect(document.metadata.annotations['hykube.io/author-identity']).not.toContain('masters')
    const headers = patch('merge-patch+json')
    const changed = await server.as('ann', {
      method: 'PATCH',
      path: `${plans}/forged`,
      headers,
      body: { metadata: { annotations } },
    })
    expect(changed.document.metadata.annotations).toEqual(document.metadata.annotations)
  })

  test('Open lets everyone use it who may write its objects', async () => {
    const headers = patch('merge-patch+json')
    await server.as('admin', {
      method: 'PATCH',
      path: `${root}/providers/script`,
      headers,
      body: { spec: { access: 'Open' } },
    })
    const { status } = await server.as('ann', {
      method: 'POST',
      path: data,
      body: { metadata: { name: 'open' }, spec: reading },
    })
    expect(status).toBe(201)
    expect((await server.plan('ann')).status.summary).toMatchObject({ blocked: 0, read: 1 })
  })
})
