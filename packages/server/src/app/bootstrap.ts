import { StatusError } from '@hykube/machinery/status'
import { bootstrapPolicy, type PolicyObject, reconcilePolicy } from '../auth/index.ts'
import type { LocalClient } from './local/local-client.ts'

/** Creates the namespaces, roles and bindings that Kubernetes clusters start with. Runs at every start and repairs what was changed. */
export async function bootstrapCluster(client: LocalClient, cluster: string, apiAddress: string): Promise<void> {
  const prefix = `/clusters/${encodeURIComponent(cluster)}`
  await Promise.all(namespaces.map((name) => ensureNamespace(client, prefix, name)))
  await ensureApiService(client, prefix, apiAddress)
  // Bindings may be created before their roles, so all requests run concurrently and share group commits.
  await Promise.all(bootstrapPolicy().map((object) => ensurePolicy(client, prefix, object)))
}

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

async function ensureNamespace(client: LocalClient, prefix: string, name: string): Promise<void> {
  const path = `${prefix}/api/v1/namespaces`
  if ((await find(client, `${path}/${name}`)) !== undefined) return
  await ignoreExisting(
    client.json({ method: 'POST', path, body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } }),
  )
}

// Clients find the API through the Service `kubernetes` in the namespace `default`.
async function ensureApiService(client: LocalClient, prefix: string, clusterIP: string): Promise<void> {
  const path = `${prefix}/api/v1/namespaces/default/services`
  if ((await find(client, `${path}/kubernetes`)) !== undefined) return
  const metadata = { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } }
  const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }]
  const body = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { type: 'ClusterIP', clusterIP, ports },
  }
  await ignoreExisting(client.json({ method: 'POST', path, body }))
}

async function ensurePolicy(client: LocalClient, prefix: string, wanted: PolicyObject): Promise<void> {
  const collection = collectionOf(prefix, wanted)
  const path = `${collection}/${encodeURIComponent(wanted.metadata.name)}`
  const step = reconcilePolicy(wanted, await find(client, path))
  switch (step.kind) {
    case 'none':
    case 'protected':
      return
    case 'create':
      return ignoreExisting(client.json({ method: 'POST', path: collection, body: step.object }))
    case 'update':
      await client.json({ method: 'PUT', path, body: step.object })
      return
    case 'recreate':
      await client.json({ method: 'DELETE', path })
      return ignoreExisting(client.json({ method: 'POST', path: collection, body: step.object }))
    default:
      return step satisfies never
  }
}

function collectionOf(prefix: string, { apiVersion, kind, metadata }: PolicyObject): string {
  const scope = metadata.namespace === undefined ? '' : `namespaces/${metadata.namespace}/`
  return `${prefix}/apis/${apiVersion}/${scope}${kind.toLowerCase()}s`
}

async function find(client: LocalClient, path: string): Promise<object | undefined> {
  try {
    return await client.json<object>({ method: 'GET', path })
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined
    throw error
  }
}

// Another server on the same store may have created it concurrently.
async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  try {
    await creation
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error
  }
}
