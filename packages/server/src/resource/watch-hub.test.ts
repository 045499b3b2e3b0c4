import { afterEach, beforeEach, expect, test } from 'vitest'
import { ObjectStore } from './object-store.ts'
import { openTestStore, type TestStore } from './testing/index.ts'
import { WatchHub } from './watch-hub.ts'

const maps = { group: '', resource: 'configmaps' }
const forever = new AbortController().signal

let store: TestStore
let objects: ObjectStore
let hub: WatchHub

beforeEach(async () => {
  store = await openTestStore()
  objects = new ObjectStore(store.store)
  hub = await WatchHub.open(store.store)
})
afterEach(async () => {
  await hub.close()
  await store.close()
})

async function write(name: string, resource = maps): Promise<number> {
  const place = { cluster: 'root', namespace: 'default', name }
  const before = await objects.get(resource, place)
  const outcome = await objects.change([
    { resource, place, before, after: { apiVersion: 'v1', kind: 'K', metadata: { name } } },
  ])
  if (outcome.kind !== 'committed') throw new Error('moved')
  return outcome.revision
}

test('delivers the changes of one resource after a revision', async () => {
  const before = await write('a')
  const subscription = hub.subscribe(maps, before)
  await write('other', { group: '', resource: 'secrets2' })
  const revision = await write('b')
  const { changes } = await subscription.next(forever)
  expect(changes.map((change) => [change.place.name, change.revision])).toEqual([['b', revision]])
  subscription.close()
})

test('a late subscriber reads the log and continues without a gap', async () => {
  const revisions = []
  for (const name of ['a', 'b', 'c']) revisions.push(await write(name))
  const subscription = hub.subscribe(maps, revisions[0]!)
  const seen: string[] = []
  while (seen.length < 2) seen.push(...(await subscription.next(forever)).changes.map(({ place }) => place.name))
  await write('d')
  seen.push(...(await subscription.next(forever)).changes.map(({ place }) => place.name))
  expect(seen).toEqual(['b', 'c', 'd'])
  subscription.close()
})

test('a subscriber behind the compaction is rejected with Expired', async () => {
  const first = await write('a')
  await write('a')
  await write('a')
  await store.store.compact(await store.store.now())
  const subscription = hub.subscribe(maps, first)
  await expect(subscription.next(forever)).rejects.toMatchObject({ reason: 'Expired' })
  subscription.close()
})

test('parses and encodes an object once for all subscribers', async () => {
  const before = await write('a')
  const [one, two] = [hub.subscribe(maps, before), hub.subscribe(maps, before)]
  await write('b')
  const [first, second] = [await one.next(forever), await two.next(forever)]
  expect(first.changes[0]).toBe(second.changes[0])
  let encodings = 0
  for (const { changes } of [first, second]) changes[0]!.encoded('form', () => new Uint8Array(++encodings))
  expect(encodings).toBe(1)
  for (const subscription of [one, two]) subscription.close()
})

test('a change provides the previous object', async () => {
  const before = await write('a')
  const subscription = hub.subscribe(maps, before)
  await write('a')
  const { changes } = await subscription.next(forever)
  expect(await changes[0]!.previousObject()).toMatchObject({ metadata: { name: 'a', resourceVersion: String(before) } })
  subscription.close()
})
