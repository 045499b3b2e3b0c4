import { afterEach, beforeEach, expect, test } from 'vitest'
import { ObjectStore } from './object-store.ts'
import { dependentFromKey, dependentsRange } from './owner-index.ts'
import { openTestStore, type TestStore } from './testing/index.ts'

const maps = { group: '', resource: 'configmaps' }
const place = { cluster: 'root', namespace: 'default', name: 'a' }
const owned = (...uids: string[]) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ownerReferences: uids.map((uid) => ({ apiVersion: 'v1', kind: 'K', name: uid, uid })) },
})

let store: TestStore
let objects: ObjectStore

beforeEach(async () => {
  store = await openTestStore()
  objects = new ObjectStore(store.store)
})
afterEach(() => store.close())

async function dependentsOf(uid: string): Promise<string[]> {
  const { entries } = await objects.scan(dependentsRange('root', uid))
  return entries.map(({ key }) => dependentFromKey(key).name)
}

test('updates the owner index in the commit of the object', async () => {
  await objects.change([{ resource: maps, place, before: undefined, after: owned('one', 'two') }])
  expect(await dependentsOf('one')).toEqual(['a'])
  const before = await objects.get(maps, place)
  await objects.change([{ resource: maps, place, before, after: owned('two', 'three') }])
  expect([await dependentsOf('one'), await dependentsOf('two'), await dependentsOf('three')]).toEqual([
    [],
    ['a'],
    ['a'],
  ])
  await objects.change([{ resource: maps, place, before: await objects.get(maps, place), after: undefined }])
  expect([await dependentsOf('two'), await dependentsOf('three')]).toEqual([[], []])
})

test('rejects all changes of a commit when one is based on an older revision', async () => {
  await objects.change([{ resource: maps, place, before: undefined, after: owned() }])
  const old = await objects.get(maps, place)
  await objects.change([{ resource: maps, place, before: old, after: owned('one') }])
  expect(await objects.change([{ resource: maps, place, before: old, after: owned('two') }])).toEqual({ kind: 'moved' })
  expect(await dependentsOf('two')).toEqual([])
})

test('rejects a change when one of its conditions has changed', async () => {
  await objects.change([{ resource: maps, place, before: undefined, after: owned() }])
  const seen = (await objects.get(maps, place))!
  await objects.change([{ resource: maps, place, before: seen, after: owned('one') }])
  const other = { ...place, name: 'b' }
  const change = { resource: maps, place: other, before: undefined, after: owned() }
  expect(await objects.change([change], { unmoved: [seen] })).toEqual({ kind: 'moved' })
  expect(await objects.get(maps, other)).toBeUndefined()
})
