import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from './serve.ts'

let directory: string
let server: RunningServer
let credentials: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer }

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hykube-controllers-'))
  server = await serve({
    dataDirectory: directory,
    port: 0,
    store: 'memory:',
    clusters: ['team'],
    paperWorkloads: true,
    version: '0.0.0',
  })
  const kubeconfig = await readFile(join(directory, 'admin.kubeconfig'), 'utf8')
  const part = (name: string) => Buffer.from(new RegExp(`${name}: "?([A-Za-z0-9+/=]+)`).exec(kubeconfig)![1]!, 'base64')
  credentials = {
    cert: part('client-certificate-data'),
    key: part('client-key-data'),
    ca: part('certificate-authority-data'),
  }
})

afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into documents of every kind
  readonly document: any
}

function send(method: string, path: string, body?: object): Promise<Answer> {
  const bytes = body === undefined ? '' : JSON.stringify(body)
  // Node adds the length by itself for some methods only.
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method, ...credentials, headers }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, document: JSON.parse(text) })
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 10_000
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}

const eventuallyStatus = (path: string, status: number) =>
  eventually(async () => {
    const answer = await send('GET', path)
    expect(answer.status).toBe(status)
    return answer.document
  })

async function createNamespace(name: string, cluster = 'root'): Promise<string> {
  const prefix = `/clusters/${cluster}/api/v1/namespaces`
  expect((await send('POST', prefix, { metadata: { name } })).status).toBe(201)
  return `${prefix}/${name}`
}

const map = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
})

async function createMap(path: string, name: string, metadata: object = {}) {
  const { status, document } = await send('POST', path, map(name, metadata))
  expect(status).toBe(201)
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: document.metadata.uid as string }
}

describe('controllers of a running server', () => {
  test.each(['root', 'team'])(
    'a namespace of %s has its account and certificate, and goes with all it holds',
    async (cluster) => {
      const path = await createNamespace('life', cluster)
      await eventuallyStatus(`${path}/serviceaccounts/default`, 200)
      const { data } = await eventuallyStatus(`${path}/configmaps/kube-root-ca.crt`, 200)
      expect(data['ca.crt']).toContain('BEGIN CERTIFICATE')
      await send('DELETE', `${path}/serviceaccounts/default`)
      await send('DELETE', `${path}/configmaps/kube-root-ca.crt`)
      await eventuallyStatus(`${path}/serviceaccounts/default`, 200)
      await eventuallyStatus(`${path}/configmaps/kube-root-ca.crt`, 200)
      await send('POST', `${path}/secrets`, { metadata: { name: 's' } })
      expect((await send('DELETE', path)).document.status.phase).toBe('Terminating')
      await eventuallyStatus(path, 404)
      for (const resource of ['serviceaccounts', 'configmaps', 'secrets'])
        expect((await send('GET', `${path}/${resource}`)).document.items).toEqual([])
    },
  )

  test.each(['Background', 'Foreground'])('dependents go with their owner in the %s', async (propagationPolicy) => {
    const path = `${await createNamespace(`gc-${propagationPolicy.toLowerCase()}`)}/configmaps`
    const owner = await createMap(path, 'owner')
    const child = await createMap(path, 'child', { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] })
    await createMap(path, 'grandchild', { ownerReferences: [{ ...child, blockOwnerDeletion: true }] })
    await send('DELETE', `${path}/owner`, { propagationPolicy })
    for (const name of ['owner', 'child', 'grandchild']) await eventuallyStatus(`${path}/${name}`, 404)
  })

  test('orphans stay without their owner', async () => {
    const path = `${await createNamespace('orphans')}/configmaps`
    await createMap(path, 'child', { ownerReferences: [await createMap(path, 'owner')] })
    await send('DELETE', `${path}/owner`, { propagationPolicy: 'Orphan' })
    await eventuallyStatus(`${path}/owner`, 404)
    expect((await send('GET', `${path}/child`)).document.metadata).not.toHaveProperty('ownerReferences')
  })

  test('a role that selects others has their rules', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const clusterRoleSelectors = [{ matchLabels: { part: 'yes' } }]
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }]
    await send('POST', roles, { metadata: { name: 'whole' }, rules: [], aggregationRule: { clusterRoleSelectors } })
    await send('POST', roles, { metadata: { name: 'part', labels: { part: 'yes' } }, rules })
    await eventually(async () => expect((await send('GET', `${roles}/whole`)).document.rules).toEqual(rules))
  })

  test('a Deployment rolls out on paper', async () => {
    const namespace = (await createNamespace('paper')).replace('/api/v1', '/apis/apps/v1')
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'one' }] } }
    const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template }
    expect((await send('POST', `${namespace}/deployments`, { metadata: { name: 'web' }, spec })).status).toBe(201)
    await eventually(async () => {
      const { metadata, status } = (await send('GET', `${namespace}/deployments/web`)).document
      const counts = { readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3 }
      expect(status).toMatchObject({ ...counts, observedGeneration: metadata.generation })
    })
    const { items } = (await send('GET', `${namespace}/replicasets`)).document
    expect(items).toHaveLength(1)
    expect(items[0].metadata.annotations['deployment.kubernetes.io/revision']).toBe('1')
  })
})
