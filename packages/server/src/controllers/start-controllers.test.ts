import { eventually } from '@hykube/runtime/testing'
import { expect, test } from 'vitest'
import { startControllers } from './start-controllers.ts'
import { FakeWorld } from './testing/index.ts'

const namespaces = { group: '', version: 'v1', resource: 'namespaces' }

test('all controllers together populate and empty a namespace, and stop on abort', async () => {
  const world = new FakeWorld()
  const { stopped } = startControllers({
    ...world.context,
    transport: world.api.transport,
    garbageCollection: world.garbageCollection,
    aggregatedRules: () => undefined,
    rootCertificate: 'PEM',
    paperWorkloads: 'running',
    signal: world.stop.signal,
  })
  const client = world.api.client('team')
  const accounts = { group: '', version: 'v1', resource: 'serviceaccounts', namespace: 'a' }
  await client.create(namespaces, { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes'] } })
  await eventually(async () => expect((await client.list(accounts)).items).toHaveLength(1))
  await client.create(
    { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'a' },
    {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } } } },
    },
  )
  const sets = { group: 'apps', version: 'v1', resource: 'replicasets', namespace: 'a' }
  await eventually(async () => expect((await client.list(sets)).items).toHaveLength(1))
  await client.delete({ ...namespaces, name: 'a' })
  await eventually(async () => expect(await client.find({ ...namespaces, name: 'a' })).toBeUndefined())
  world.stop.abort()
  await stopped
  expect(world.api.watches.size).toBe(0)
})
