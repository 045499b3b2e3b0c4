import { ManualClock } from '@hykube/machinery/base'
import type { OwnerReference } from '@hykube/machinery/object'
import type { Client, Stored } from '@hykube/runtime/client'
import { eventually } from '@hykube/runtime/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeWorld } from '../testing/index.ts'
import { runGarbageCollectionController } from './controller.ts'

const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespace: 'a' }
const nodes = { group: '', version: 'v1', resource: 'nodes' }

let world: FakeWorld
let client: Client
let running: Promise<void>

beforeEach(() => {
  world = new FakeWorld()
  client = world.api.client('team')
})

afterEach(async () => {
  world.stop.abort()
  await running
  expect(world.errors).toEqual([])
})

function start(): void {
  running = runGarbageCollectionController(world.context, world.garbageCollection, world.stop.signal)
}

function reference(owner: Stored, more: Partial<OwnerReference> = {}): OwnerReference {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    ...more,
  }
}

function create(
  name: string,
  ownerReferences: OwnerReference[] = [],
  more: object = {},
  at = configMaps,
): Promise<Stored> {
  return client.create(at, { metadata: { name, ownerReferences, ...more } })
}

const find = (name: string, at = configMaps) => client.find({ ...at, name })
const remove = (name: string, propagationPolicy: 'Background' | 'Foreground' | 'Orphan' = 'Background') =>
  client.delete({ ...configMaps, name }, { propagationPolicy })
const gone = (...names: string[]) =>
  eventually(async () => {
    for (const name of names) expect(await find(name)).toBeUndefined()
  })

// Waits until work that was queued earlier has been processed.
async function everythingElse(): Promise<void> {
  for (const name of ['first', 'second', 'third']) {
    await create(name, [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: name }])
    await gone(name)
  }
}

describe('background deletion', () => {
  test('deletes dependents after their owner, recursively', async () => {
    start()
    const owner = await create('owner')
    const child = await create('child', [reference(owner)])
    await create('grandchild', [reference(child)])
    await create('stranger')
    await remove('owner')
    await gone('owner', 'child', 'grandchild')
    expect(await find('stranger')).toBeDefined()
  })

  test('keeps an object with another owner and removes the reference to the deleted one', async () => {
    start()
    const [dead, alive] = [await create('dead'), await create('alive')]
    await create('child', [reference(dead), reference(alive)])
    await remove('dead')
    await eventually(async () => expect((await find('child'))?.metadata.ownerReferences).toEqual([reference(alive)]))
  })

  test('keeps an object that gets another owner meanwhile', async () => {
    start()
    const [dead, alive] = [await create('dead'), await create('alive')]
    await create('child', [reference(dead)])
    let adopted = false
    world.api.fault = ({ method, name, ...place }) => {
      if (method === 'DELETE' && name === 'child' && !adopted) {
        adopted = true
        const ownerReferences = [reference(dead), reference(alive)]
        world.api.store.update({ ...place, name }, { metadata: { name, ownerReferences } })
      }
      return undefined
    }
    await remove('dead')
    await eventually(async () => expect((await find('child'))?.metadata.ownerReferences).toEqual([reference(alive)]))
  })

  test('deletes an object that is created after its owner was deleted', async () => {
    start()
    const owner = await create('owner')
    await remove('owner')
    await create('late', [reference(owner)])
    await gone('late')
  })

  test('ignores an object with the name of the owner but another uid', async () => {
    start()
    const impostor = await create('owner')
    await create('child', [reference(impostor, { uid: 'another' })])
    await gone('child')
    expect(await find('owner')).toBeDefined()
  })

  test('treats an owner in another namespace as absent', async () => {
    start()
    const owner = await create('owner', [], {}, { ...configMaps, namespace: 'b' })
    await create('child', [reference(owner)])
    await gone('child')
    expect(await find('owner', { ...configMaps, namespace: 'b' })).toBeDefined()
  })

  test('accepts a cluster-scoped owner in every namespace', async () => {
    start()
    const node = await client.create(nodes, { metadata: { name: 'n' } })
    const dead = await create('dead')
    await create('child', [reference(node, { kind: 'Node' }), reference(dead)])
    await remove('dead')
    await eventually(async () => expect((await find('child'))?.metadata.ownerReferences).toHaveLength(1))
    await client.delete({ ...nodes, name: 'n' })
    await gone('child')
  })

  test('keeps objects whose owner has an unknown kind or is a namespaced owner of a cluster-scoped object', async () => {
    start()
    const owner = await create('owner')
    await create('mystery', [reference(owner, { apiVersion: 'x.io/v1', kind: 'Thing', uid: 'unknown' })])
    await client.create(nodes, { metadata: { name: 'n', ownerReferences: [reference(owner, { uid: 'unknown' })] } })
    const witness = await create('witness', [reference(owner, { uid: 'also-unknown' })])
    await gone(witness.metadata.name!)
    expect(await find('mystery')).toBeDefined()
    expect(await client.find({ ...nodes, name: 'n' })).toBeDefined()
  })

  test('finds owners at the start that were deleted while no controller ran', async () => {
    const owner = await create('owner')
    await create('one', [reference(owner)])
    await create('two', [reference(owner)])
    await remove('owner')
    start()
    await gone('one', 'two')
  })

  test('ignores the same uid in another cluster', async () => {
    start()
    const owner = await create('owner')
    const other = world.api.client('other')
    await other.create(configMaps, { metadata: { name: 'owner', uid: owner.metadata.uid } })
    await other.create(configMaps, { metadata: { name: 'child', ownerReferences: [reference(owner)] } })
    await create('child', [reference(owner)])
    await remove('owner')
    await gone('child')
    expect(await other.find({ ...configMaps, name: 'child' })).toBeDefined()
  })
})

describe('foreground deletion', () => {
  test('keeps the owner until blocking dependents are gone', async () => {
    start()
    const owner = await create('owner')
    await create('child', [reference(owner, { blockOwnerDeletion: true })], { finalizers: ['example.com/hold'] })
    await everythingElse()
    await remove('owner', 'Foreground')
    await eventually(async () => expect((await find('child'))?.metadata.deletionTimestamp).toBeDefined())
    await everythingElse()
    expect((await find('owner'))?.metadata.finalizers).toEqual(['foregroundDeletion'])
    await client.patch({ ...configMaps, name: 'child' }, { kind: 'merge', patch: { metadata: { finalizers: null } } })
    await gone('child', 'owner')
  })

  test('removes the owner as soon as the last one is gone', async () => {
    // The clock stands still, so no retry happens: only the dependent's deletion event can trigger the next step.
    world = new FakeWorld({ clock: new ManualClock() })
    client = world.api.client('team')
    start()
    const owner = await create('owner')
    await create('child', [reference(owner, { blockOwnerDeletion: true })], { finalizers: ['example.com/hold'] })
    await everythingElse()
    await remove('owner', 'Foreground')
    await eventually(async () => expect((await find('child'))?.metadata.deletionTimestamp).toBeDefined())
    await everythingElse()
    await client.patch({ ...configMaps, name: 'child' }, { kind: 'merge', patch: { metadata: { finalizers: null } } })
    await gone('owner')
  })

  test('deletes dependents that do not block without waiting for them', async () => {
    start()
    const owner = await create('owner')
    await create('child', [reference(owner)], { finalizers: ['example.com/hold'] })
    await remove('owner', 'Foreground')
    await gone('owner')
    expect((await find('child'))?.metadata.deletionTimestamp).toBeDefined()
  })

  test('deletes a tree from the leaves', async () => {
    start()
    const order: string[] = []
    world.api.store.listen(({ place, after }) => {
      if (after === undefined) order.push(place.name)
    })
    const root = await create('root')
    const branch = await create('branch', [reference(root, { blockOwnerDeletion: true })])
    await create('leaf', [reference(branch, { blockOwnerDeletion: true })])
    await remove('root', 'Foreground')
    await gone('root')
    expect(order).toEqual(['leaf', 'branch', 'root'])
  })

  test('does not deadlock on a cycle', async () => {
    start()
    const one = await create('one')
    const two = await create('two', [reference(one, { blockOwnerDeletion: true })])
    await client.patch(
      { ...configMaps, name: 'one' },
      { kind: 'merge', patch: { metadata: { ownerReferences: [reference(two, { blockOwnerDeletion: true })] } } },
    )
    await remove('one', 'Foreground')
    await gone('one', 'two')
  })

  test('continues a deletion that began before the start', async () => {
    const owner = await create('owner')
    await create('child', [reference(owner, { blockOwnerDeletion: true })])
    await remove('owner', 'Foreground')
    expect(await find('owner')).toBeDefined()
    start()
    await gone('owner', 'child')
  })
})

test.each(['Foreground', 'Orphan'] as const)(
  'an owner whose last dependent was deleted while no controller ran is removed (%s)',
  async (policy) => {
    const owner = await create('owner')
    await create('child', [reference(owner, { blockOwnerDeletion: true })])
    await remove('owner', policy)
    await remove('child')
    expect(await find('owner')).toBeDefined()
    start()
    await gone('owner')
  },
)

describe('orphaning', () => {
  test('keeps dependents and removes their owner reference', async () => {
    start()
    const owner = await create('owner')
    const other = await create('other')
    await create('child', [reference(owner), reference(other)])
    await create('only', [reference(owner)])
    await remove('owner', 'Orphan')
    await gone('owner')
    expect((await find('child'))?.metadata.ownerReferences).toEqual([reference(other)])
    expect((await find('only'))?.metadata.ownerReferences).toEqual([])
  })
})

test('a cycle is deleted with one of its members', async () => {
  start()
  const one = await create('one')
  const two = await create('two', [reference(one)])
  await client.patch(
    { ...configMaps, name: 'one' },
    { kind: 'merge', patch: { metadata: { ownerReferences: [reference(two)] } } },
  )
  await remove('two')
  await gone('one', 'two')
})
