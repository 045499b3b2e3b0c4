import { systemClock } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { decodeObject, ObjectStore, TypeRegistry, WatchHub } from '../resource/index.ts'
import { openTestStore, type TestStore } from '../resource/testing/index.ts'
import { DefinedTypes } from './defined-types.ts'
import { cleanupFinalizer, type Definition, definitionFrom, definitionResource } from './definition.ts'

/** Components of one server on a store. */
interface Follower {
  readonly types: TypeRegistry
  close(): Promise<void>
}

let store: TestStore['store']
let objects: ObjectStore
let followers: Follower[]

beforeEach(async () => {
  store = (await openTestStore()).store
  objects = new ObjectStore(store)
  followers = []
})

afterEach(async () => {
  for (const follower of followers) await follower.close()
  await store.close()
})

// Followers run asynchronously, so the test polls.
function eventually(isSo: () => unknown): Promise<unknown> {
  return vi.waitFor(isSo, { timeout: 30_000 })
}

async function follow(isServedElsewhere?: (definition: KubernetesObject) => boolean): Promise<Follower> {
  const hub = await WatchHub.open(store)
  const types = new TypeRegistry()
  const report = (message: string) => expect.fail(message)
  const options = { objects, hub, types, clock: systemClock, report }
  const defined = await DefinedTypes.open({ ...options, ...(isServedElsewhere && { isServedElsewhere }) })
  const follower = {
    types,
    close: async () => {
      await defined.close()
      await hub.close()
    },
  }
  followers.push(follower)
  return follower
}

function definition(plural: string, names: object = {}, version: object = {}): KubernetesObject {
  const kind = plural[0]!.toUpperCase() + plural.slice(1, -1)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com`, uid: crypto.randomUUID(), generation: 1 },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List`, ...names },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version },
      ],
    },
    status: { storedVersions: ['v1'] },
  }
}

const place = (name: string, cluster = 'root') => ({ cluster, namespace: '', name })

async function write(object: KubernetesObject, cluster = 'root'): Promise<void> {
  const at = place(object.metadata!.name!, cluster)
  const before = await objects.get(definitionResource, at)
  const outcome = await objects.change([{ resource: definitionResource, place: at, before, after: object }])
  expect(outcome.kind).toBe('committed')
}

async function read(name: string, cluster = 'root'): Promise<Definition | undefined> {
  const stored = await objects.get(definitionResource, place(name, cluster))
  return stored === undefined ? undefined : definitionFrom(decodeObject(stored.bytes))
}

const isServed = ({ types }: Follower, plural: string, cluster = 'root') =>
  types.find(cluster, 'example.com', 'v1', plural) !== undefined

const conditionOf = async (name: string, type: string) =>
  (await read(name))?.status?.conditions?.find((condition) => condition.type === type)

describe('definitions', () => {
  test('are served before they become Established', async () => {
    const follower = await follow()
    await write(definition('widgets'))
    await eventually(async () =>
      expect(await conditionOf('widgets.example.com', 'Established')).toMatchObject({ status: 'True' }),
    )
    expect(isServed(follower, 'widgets')).toBe(true)
  })

  test('are served from the start when they already exist', async () => {
    await write(definition('widgets'))
    expect(isServed(await follow(), 'widgets')).toBe(true)
  })

  test('are ignored when another component serves them', async () => {
    await write(definition('wheels'))
    const follower = await follow(({ metadata }) => metadata?.name?.startsWith('w') === true)
    await write(definition('widgets'))
    await write(definition('gadgets'))
    await eventually(() => expect(isServed(follower, 'gadgets')).toBe(true))
    expect([isServed(follower, 'wheels'), isServed(follower, 'widgets')]).toEqual([false, false])
    expect((await read('widgets.example.com'))?.status).toEqual({ storedVersions: ['v1'] })
  })

  test('are served by every server on the store', async () => {
    const [first, second] = [await follow(), await follow()]
    await write(definition('widgets'))
    await eventually(() => expect([isServed(first, 'widgets'), isServed(second, 'widgets')]).toEqual([true, true]))
  })

  test('are served in their own cluster only', async () => {
    const follower = await follow()
    await write(definition('widgets'), 'other')
    await eventually(() => expect(isServed(follower, 'widgets', 'other')).toBe(true))
    expect(isServed(follower, 'widgets')).toBe(false)
  })

  test('are served again when the spec changes, but not the status', async () => {
    const follower = await follow()
    await write(definition('widgets'))
    await eventually(async () => expect((await read('widgets.example.com'))?.status?.acceptedNames).toBeDefined())
    const type = follower.types.find('root', 'example.com', 'v1', 'widgets')!
    const end = follower.types.endOf(type)!
    const before = (await read('widgets.example.com'))!
    await write({ ...before, metadata: { ...before.metadata, labels: { a: 'b' } } })
    await write(definition('wheels'))
    await eventually(() => expect(isServed(follower, 'wheels')).toBe(true))
    expect(end.aborted).toBe(false)
    const now = (await read('widgets.example.com'))!
    await write({ ...now, metadata: { ...now.metadata, generation: 2 } })
    await eventually(() => expect(end.aborted).toBe(true))
    expect(isServed(follower, 'widgets')).toBe(true)
  })

  test('wait for conflicting names and get them when the other definition is deleted', async () => {
    const follower = await follow()
    await write(definition('widgets', { shortNames: ['w'] }))
    await eventually(() => expect(isServed(follower, 'widgets')).toBe(true))
    await write(definition('wheels', { kind: 'Widget' }))
    await eventually(async () =>
      expect(await conditionOf('wheels.example.com', 'NamesAccepted')).toMatchObject({
        status: 'False',
        reason: 'KindConflict',
      }),
    )
    expect(isServed(follower, 'wheels')).toBe(false)
    const stored = (await objects.get(definitionResource, place('widgets.example.com')))!
    await objects.change([
      { resource: definitionResource, place: place('widgets.example.com'), before: stored, after: undefined },
    ])
    await eventually(() => expect(isServed(follower, 'wheels')).toBe(true))
    expect(isServed(follower, 'widgets')).toBe(false)
  })
})

describe('a deleted definition', () => {
  const widgets = { group: 'example.com', resource: 'widgets' }

  async function putWidget(name: string, finalizers: readonly string[]): Promise<void> {
    const after = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, namespace: 'a', finalizers } }
    await objects.change([
      { resource: widgets, place: { cluster: 'root', namespace: 'a', name }, before: undefined, after },
    ])
  }

  async function markForDeletion(): Promise<void> {
    const current = (await read('widgets.example.com'))!
    const metadata = { ...current.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [cleanupFinalizer] }
    await write({ ...current, metadata })
  }

  test('deletes its objects', async () => {
    const follower = await follow()
    await write(definition('widgets'))
    await eventually(async () =>
      expect(await conditionOf('widgets.example.com', 'Established')).toMatchObject({ status: 'True' }),
    )
    for (const name of ['a', 'b', 'c']) await putWidget(name, [])
    await markForDeletion()
    await eventually(async () => expect(await read('widgets.example.com')).toBeUndefined())
    expect(await objects.get(widgets, { cluster: 'root', namespace: 'a', name: 'b' })).toBeUndefined()
    await eventually(() => expect(isServed(follower, 'widgets')).toBe(false))
  })

  test('waits for objects with finalizers and rejects new ones', async () => {
    const follower = await follow()
    await write(definition('widgets'))
    await eventually(async () =>
      expect(await conditionOf('widgets.example.com', 'Established')).toMatchObject({ status: 'True' }),
    )
    await putWidget('held', ['example.com/hold'])
    await markForDeletion()
    await eventually(async () =>
      expect(await conditionOf('widgets.example.com', 'Terminating')).toMatchObject({
        reason: 'InstanceDeletionInProgress',
      }),
    )
    expect(follower.types.find('root', 'example.com', 'v1', 'widgets')?.verbs).not.toContain('create')
    const at = { cluster: 'root', namespace: 'a', name: 'held' }
    const held = (await objects.get(widgets, at))!
    expect(decodeObject(held.bytes).metadata?.deletionTimestamp).toBeDefined()
    await objects.change([{ resource: widgets, place: at, before: held, after: undefined }])
    await eventually(async () => expect(await read('widgets.example.com')).toBeUndefined())
  })
})
