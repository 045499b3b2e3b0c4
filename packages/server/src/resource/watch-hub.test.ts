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

test('a subscriber is told what was written after its revision, and nothing of other resources', async () => {
  const before = await write('a')
  const subscription = hub.subscribe(maps, before)
  await write('other', { group: '', resource: 'secrets2' })
  const revision = await write('b')
  const { changes } = await subscription.next(forever)
  expect(changes.map((change) => [change.place.name, change.revision])).toEqual([['b', revision]])
  subscription.close()
})

test('one that comes late reads the past from the log, and goes on without a gap', async () => {
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

test('one that fell behind the compaction is told so', async () => {
  const first = await write('a')
  await write('a')
  await write('a')
  await store.store.compact(await store.store.now())
  const subscription = hub.subscribe(maps, first)
  await expect(subscription.next(forever)).rejects.toMatchObject({ reason: 'Expired' })
  subscription.close()
})

test('an object is parsed and encoded once for all who ask', async () => {
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

test('what replaced something knows what it replaced', async () => {
  const before = await write('a')
  const subscription = hub.subscribe(maps, before)
  await write('a')
  const { changes } = await subscription.next(forever)
  expect(await changes[0]!.previousObject()).toMatchObject({ metadata: { name: 'a', resourceVersion: String(before) } })
  subscription.close()
})
