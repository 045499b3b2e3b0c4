import { TestServer } from '@hykube/server/app/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.open()
  await server.post('/apis/hykube.io/v1alpha1/providers', { metadata: { name: 'sim' }, spec: { source: 'hykube/sim' } })
})
afterAll(() => server.close())

const namespace = '/api/v1/namespaces/team'
const networks = '/apis/sim.hykube.io/v1/namespaces/team/sim-networks'
const plans = '/apis/hykube.io/v1alpha1/namespaces/team/plans'

async function applied(name: string): Promise<void> {
  const answer = await server.post(plans, { metadata: { name }, spec: { approval: 'Automatic' } })
  expect(answer.status).toBe(201)
  const phase = async () => {
    const { status, document } = await server.get(`${plans}/${name}`)
    // With the last of what exists outside the namespace goes, and the plan with it.
    return status === 404 ? 'gone' : document.status?.phase
  }
  await expect.poll(phase, { timeout: 60_000 }).toMatch(/^(Applied|gone)$/)
}

test('a namespace with what exists outside is deleted when that was destroyed by a plan', {
  timeout: 60_000,
}, async () => {
  const ready = async () => {
    const { status } = (await server.get('/apis/hykube.io/v1alpha1/providers/sim')).document
    return status?.conditions?.find((each: { type: string }) => each.type === 'Ready')?.status
  }
  await expect.poll(ready, { timeout: 60_000 }).toBe('True')
  await server.post('/api/v1/namespaces', { metadata: { name: 'team' } })
  await server.post('/api/v1/namespaces/team/configmaps', { metadata: { name: 'c' }, data: { seed: '3' } })
  await server.post('/apis/hykube.io/v1alpha1/namespaces/team/providerconfigs', {
    metadata: { name: 'west' },
    spec: { provider: 'sim', config: { seed: '${configmap["c"].seed}' } },
  })
  const spec = { name: 'n', cidr: '10.0.0.0/16', provider: 'west' }
  await server.post(networks, { metadata: { name: 'main' }, spec })
  await server.post(networks, {
    metadata: { name: 'unapplied' },
    spec: { ...spec, name: '${sim_network.missing.name}' },
  })
  await applied('make')
  await expect.poll(async () => (await server.get(`${networks}/main`)).document.status?.attributes?.id).toBeDefined()

  const refused = await server.send('DELETE', namespace)
  expect([refused.status, refused.document.message]).toEqual([409, expect.stringContaining('team/main')])
  expect((await server.get(namespace)).document.status.phase).toBe('Active')

  await server.patch(namespace, { metadata: { annotations: { 'hykube.io/destroy': 'allowed' } } })
  expect((await server.send('DELETE', namespace)).status).toBe(200)
  const message = async () => {
    const { conditions = [] } = (await server.get(namespace)).document.status
    const found = conditions.find((each: { type: string }) => each.type === 'NamespaceFinalizersRemaining')
    return found?.status === 'True' ? found.message : ''
  }
  await expect.poll(message, { timeout: 60_000 }).toContain('hykube apply -n team')
  // Objects that were never applied are gone; real resources and objects that plans need remain.
  expect((await server.get(`${networks}/unapplied`)).status).toBe(404)
  expect((await server.get(`${networks}/main`)).document.metadata.deletionTimestamp).toBeDefined()
  expect((await server.get('/api/v1/namespaces/team/configmaps/c')).status).toBe(200)
  const other = await server.post(networks, { metadata: { name: 'late' }, spec })
  expect(other.status).toBe(403)

  await applied('destroy')
  await expect.poll(async () => (await server.get(namespace)).status, { timeout: 60_000 }).toBe(404)
})
