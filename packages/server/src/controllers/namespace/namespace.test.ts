import { ManualClock } from '@hykube/machinery/base'
import { StatusError } from '@hykube/machinery/status'
import { apiResource, commonResources, eventually } from '@hykube/runtime/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNamespaces } from '../namespaces.ts'
import { FakeWorld } from '../testing/index.ts'
import { runNamespaceController } from './controller.ts'
import { reconcileNamespace } from './reconcile.ts'

const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
const pods = { group: '', version: 'v1', resource: 'pods', namespace: 'a' }
const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespace: 'a' }

let world: FakeWorld
beforeEach(() => {
  world = new FakeWorld()
})
afterEach(() => world.stop.abort())

async function createNamespace(cluster = 'root'): Promise<void> {
  await world.api.client(cluster).create(namespaces, { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes'] } })
}

function step(content?: { resourcesIn: () => Promise<{ group: string; resource: string }[]> }) {
  const { clientFor, clock } = world.context
  return reconcileNamespace({ client: clientFor('root'), cluster: 'root', clock, content }, 'a', world.stop.signal)
}

async function conditions(): Promise<Record<string, string>> {
  const { status } = await world.api.client().get({ ...namespaces, name: 'a' })
  const list = (status as { conditions?: { type: string; status: string; message: string }[] })?.conditions ?? []
  return Object.fromEntries(list.map((each) => [each.type, each.status === 'True' ? each.message : each.status]))
}

describe('a terminating namespace', () => {
  test('deletes its own content only', async () => {
    const client = world.api.client()
    await createNamespace()
    await client.create(configMaps, { metadata: { name: 'x' } })
    await client.create({ ...configMaps, namespace: 'b' }, { metadata: { name: 'x' } })
    await client.delete({ ...namespaces, name: 'a' })
    expect(await step()).toBeUndefined()
    expect(await client.find({ ...namespaces, name: 'a' })).toBeUndefined()
    expect(await client.find({ ...configMaps, name: 'x' })).toBeUndefined()
    expect(await client.find({ ...configMaps, namespace: 'b', name: 'x' })).toBeDefined()
  })

  test('is ignored until it is deleted', async () => {
    await createNamespace()
    expect(await step()).toBeUndefined()
    expect(world.api.requests.filter((request) => !request.startsWith('GET'))).toHaveLength(1)
  })

  test('reports remaining content and finalizers, and is removed when it is empty', async () => {
    const client = world.api.client()
    await createNamespace()
    await client.create(configMaps, { metadata: { name: 'x', finalizers: ['example.com/hold'] } })
    await client.delete({ ...namespaces, name: 'a' })
    expect(await step()).toEqual({ kind: 'again' })
    expect(await conditions()).toEqual({
      NamespaceDeletionDiscoveryFailure: 'False',
      NamespaceDeletionGroupVersionParsingFailure: 'False',
      NamespaceDeletionContentFailure: 'False',
      NamespaceContentRemaining: 'Some resources are remaining: configmaps. has 1 resource instances',
      NamespaceFinalizersRemaining:
        'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    })
    const revision = world.api.store.revision
    await step()
    expect(world.api.store.revision).toBe(revision)
    await client.patch({ ...configMaps, name: 'x' }, { kind: 'merge', patch: { metadata: { finalizers: null } } })
    expect(await step()).toBeUndefined()
    expect(await client.find({ ...namespaces, name: 'a' })).toBeUndefined()
  })

  test('deletes pods first, and other objects only when they are gone', async () => {
    const client = world.api.client()
    await createNamespace()
    await client.create(pods, { metadata: { name: 'p', finalizers: ['example.com/hold'] } })
    await client.create(configMaps, { metadata: { name: 'x' } })
    await client.delete({ ...namespaces, name: 'a' })
    expect(await step()).toEqual({ kind: 'again' })
    expect(await client.find({ ...configMaps, name: 'x' })).toBeDefined()
  })

  test('stays while discovery of a group fails', async () => {
    world = new FakeWorld({
      resources: [...commonResources, apiResource('x.io/v1', 'things', 'Thing')],
      stale: ['x.io/v1'],
    })
    await createNamespace()
    await world.api.client().delete({ ...namespaces, name: 'a' })
    expect(await step()).toEqual({ kind: 'again' })
    expect((await conditions()).NamespaceDeletionDiscoveryFailure).toContain('x.io/v1')
  })

  test('stays while a deletion fails, and reports the error', async () => {
    await createNamespace()
    await world.api.client().create(configMaps, { metadata: { name: 'x' } })
    await world.api.client().delete({ ...namespaces, name: 'a' })
    world.api.fault = ({ method, resource }) =>
      method === 'DELETE' && resource === 'configmaps' ? new StatusError('InternalError', 'disk on fire') : undefined
    expect(await step()).toEqual({ kind: 'again' })
    expect((await conditions()).NamespaceDeletionContentFailure).toContain('disk on fire')
  })

  test('deletes objects one by one without deletecollection', async () => {
    const things = { ...apiResource('x.io/v1', 'things', 'Thing'), verbs: ['list', 'delete', 'get', 'create'] }
    world = new FakeWorld({ resources: [things] })
    await createNamespace()
    const at = { group: 'x.io', version: 'v1', resource: 'things', namespace: 'a' }
    for (const name of ['one', 'two']) await world.api.client().create(at, { metadata: { name } })
    await world.api.client().delete({ ...namespaces, name: 'a' })
    expect(await step()).toBeUndefined()
    expect((await world.api.client().list(at)).items).toEqual([])
  })

  test('lists only the resources that the index names', async () => {
    await createNamespace()
    await world.api.client().create(configMaps, { metadata: { name: 'x' } })
    await world.api.client().delete({ ...namespaces, name: 'a' })
    world.api.requests.length = 0
    expect(await step({ resourcesIn: async () => [{ group: '', resource: 'configmaps' }] })).toBeUndefined()
    expect(world.api.requests).toEqual([
      'GET /clusters/root/api/v1/namespaces/a',
      'GET /clusters/root/api/v1/namespaces/a/configmaps',
      'DELETE /clusters/root/api/v1/namespaces/a/configmaps',
      'GET /clusters/root/api/v1/namespaces/a/configmaps',
      'PUT /clusters/root/api/v1/namespaces/a/finalize',
    ])
  })
})

describe('the namespace controller', () => {
  test('works in every cluster and retries while content remains', async () => {
    const clock = new ManualClock(1e12)
    world = new FakeWorld({ clock })
    const namespaceInformer = createNamespaces(world.context)
    const running = [
      namespaceInformer.run(world.stop.signal),
      runNamespaceController(world.context, namespaceInformer, undefined, world.stop.signal),
    ]
    const client = world.api.client('other')
    await createNamespace('other')
    await client.create(configMaps, { metadata: { name: 'x', finalizers: ['example.com/hold'] } })
    await client.delete({ ...namespaces, name: 'a' })
    await eventually(async () =>
      expect((await client.get({ ...configMaps, name: 'x' })).metadata.deletionTimestamp).toBeDefined(),
    )
    await client.patch({ ...configMaps, name: 'x' }, { kind: 'merge', patch: { metadata: { finalizers: null } } })
    await eventually(async () => {
      clock.advance(10_000)
      expect(await client.find({ ...namespaces, name: 'a' })).toBeUndefined()
    })
    world.stop.abort()
    await Promise.all(running)
    expect(world.errors).toEqual([])
  })
})
