import { StatusError } from '@hykube/machinery/status'
import { eventually } from '@hykube/runtime/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNamespaces } from '../namespaces.ts'
import { runRootCaController } from '../root-ca/controller.ts'
import { FakeWorld } from '../testing/index.ts'
import { runServiceAccountController } from './controller.ts'

const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
const account = { group: '', version: 'v1', resource: 'serviceaccounts', namespace: 'a', name: 'default' }
const rootCa = { group: '', version: 'v1', resource: 'configmaps', namespace: 'a', name: 'kube-root-ca.crt' }

let world: FakeWorld
let running: Promise<void>[]

beforeEach(() => {
  world = new FakeWorld()
  const picture = createNamespaces(world.context)
  const { signal } = world.stop
  running = [
    picture.run(signal),
    runServiceAccountController(world.context, picture, signal),
    runRootCaController(world.context, picture, 'PEM', signal),
  ]
})

afterEach(async () => {
  world.stop.abort()
  await Promise.all(running)
  expect(world.errors).toEqual([])
})

async function appears(at: typeof account, client = world.api.client()) {
  return eventually(async () => {
    const object = await client.find(at)
    expect(object).toBeDefined()
    return object!
  })
}

describe('every namespace', () => {
  test('has a service account and the CA certificate, in every cluster', async () => {
    for (const cluster of ['root', 'other']) {
      const client = world.api.client(cluster)
      await client.create(namespaces, { metadata: { name: 'a' } })
      await appears(account, client)
      expect((await appears(rootCa, client)).data).toEqual({ 'ca.crt': 'PEM' })
    }
  })

  test('gets them again when they are deleted', async () => {
    const client = world.api.client()
    await client.create(namespaces, { metadata: { name: 'a' } })
    for (const at of [account, rootCa]) {
      const { uid } = (await appears(at)).metadata
      await client.delete(at)
      await eventually(async () => expect((await client.find(at))?.metadata.uid).not.toBe(uid))
      await appears(at)
    }
  })

  test.each([
    ['another certificate', { 'ca.crt': 'forged' }],
    ['more than the certificate', { more: 'x' }],
  ])('gets a ConfigMap with %s repaired', async (_, data) => {
    const client = world.api.client()
    await client.create(namespaces, { metadata: { name: 'a' } })
    await appears(rootCa)
    await client.patch(rootCa, { kind: 'merge', patch: { data } })
    await eventually(async () => expect((await client.get(rootCa)).data).toEqual({ 'ca.crt': 'PEM' }))
  })

  test('is ignored while terminating, also when only the server knows', async () => {
    const client = world.api.client()
    await client.create(namespaces, { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes'] } })
    await Promise.all([appears(account), appears(rootCa)])
    const causes = [{ reason: 'NamespaceTerminating' as const, message: 'namespace a is being terminated' }]
    world.api.fault = ({ method }) =>
      method === 'POST' ? new StatusError('Forbidden', 'terminating', { details: { causes } }) : undefined
    await client.delete(account)
    await eventually(() => expect(world.api.requests.filter((each) => each.startsWith('POST'))).toHaveLength(4))
    await client.delete({ ...namespaces, name: 'a' })
    await client.delete(rootCa)
  })
})
