import { ManualClock } from '@hykube/machinery/base'
import { StatusError } from '@hykube/machinery/status'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client, Stored } from '../client/index.ts'
import { eventually, FakeApi } from '../client/testing/index.ts'
import { Informer, type InformerOptions } from './informer.ts'

const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
const inA = { ...configMaps, namespace: 'a' }

let api: FakeApi
let client: Client
let stop: AbortController
let running: Promise<void>[]

beforeEach(() => {
  api = new FakeApi()
  client = api.client()
  stop = new AbortController()
  running = []
})

afterEach(async () => {
  stop.abort()
  await Promise.all(running)
  expect(api.watches.size).toBe(0)
})

function start<V = Stored>(options: Partial<InformerOptions<V>> = {}): { informer: Informer<V>; log: string[] } {
  const informer = new Informer<V>({ client, at: configMaps, ...options })
  const log: string[] = []
  informer.on(({ kind, ref }) => log.push(`${kind} ${ref.namespace}/${ref.name}`))
  running.push(informer.run(stop.signal))
  return { informer, log }
}

async function create(name: string, cluster = client, extra: object = {}): Promise<void> {
  await cluster.create(inA, { metadata: { name }, ...extra })
}

const ref = (name: string, cluster = '') => ({ cluster, namespace: 'a', name })

describe('informer', () => {
  test('caches existing objects and then changes', async () => {
    await create('x')
    const { informer, log } = start()
    await informer.synced
    expect(log).toEqual(['added a/x'])
    await create('y')
    await client.patch({ ...inA, name: 'x' }, { kind: 'merge', patch: { data: { a: '1' } } })
    await client.delete({ ...inA, name: 'y' })
    await eventually(() => expect(log).toEqual(['added a/x', 'added a/y', 'updated a/x', 'deleted a/y']))
    expect(informer.get(ref('x'))?.data).toEqual({ a: '1' })
    expect(informer.get(ref('y'))).toBeUndefined()
  })

  test('resumes an ended watch without a new list', async () => {
    const clock = new ManualClock()
    const { informer, log } = start({ clock })
    await informer.synced
    await eventually(() => expect(api.watches.size).toBe(1))
    for (const watch of api.watches) watch.end()
    await create('meanwhile')
    await eventually(() => expect(clock.sleeping).toBe(1))
    clock.advance(1000)
    await eventually(() => expect(log).toEqual(['added a/meanwhile']))
    expect(api.requests.filter((request) => request === 'GET /api/v1/configmaps')).toHaveLength(3)
  })

  test('lists again after compaction, and reports objects deleted meanwhile', async () => {
    await create('gone')
    await create('stays')
    const clock = new ManualClock()
    const { informer, log } = start({ clock })
    await informer.synced
    await eventually(() => expect(api.watches.size).toBe(1))
    for (const watch of api.watches) watch.end()
    await client.delete({ ...inA, name: 'gone' })
    await create('new')
    api.store.compact()
    await eventually(async () => {
      clock.advance(30_000)
      expect(log.slice(2)).toEqual(['added a/new', 'updated a/stays', 'deleted a/gone'])
    })
    expect([...informer.entries()].map((entry) => entry.ref.name).sort()).toEqual(['new', 'stays'])
  })

  test('resumes from a bookmark', async () => {
    const clock = new ManualClock()
    const { informer, log } = start({ clock })
    await informer.synced
    await eventually(() => expect(api.watches.size).toBe(1))
    await client.create({ ...configMaps, resource: 'secrets', namespace: 'a' }, { metadata: { name: 's' } })
    for (const watch of api.watches) {
      watch.bookmark(api.store.revision)
      watch.end()
    }
    api.store.compact()
    await eventually(() => expect(clock.sleeping).toBe(1))
    clock.advance(1000)
    await create('x')
    await eventually(() => expect(log).toEqual(['added a/x']))
    // One list and two watches: the second watch was not too old.
    expect(api.requests.filter((request) => request.startsWith('GET'))).toHaveLength(3)
  })

  test('reports and retries failures', async () => {
    let failures = 2
    api.fault = () => (failures-- > 0 ? new StatusError('ServiceUnavailable', 'not yet') : undefined)
    const clock = new ManualClock()
    const told: unknown[] = []
    const { informer } = start({ clock, onFailure: (error) => told.push(error) })
    let synced = false
    void informer.synced.then(() => {
      synced = true
    })
    await eventually(() => {
      clock.advance(1000)
      expect(synced).toBe(true)
    })
    expect(told).toMatchObject([{ reason: 'ServiceUnavailable' }, { reason: 'ServiceUnavailable' }])
  })

  test('finds by index, also after an indexed value changed', async () => {
    const { informer } = start({
      indexes: { team: (object) => [String((object as { data?: { team?: string } }).data?.team)] },
    })
    await create('x', client, { data: { team: 'web' } })
    await create('y', client, { data: { team: 'web' } })
    await eventually(() => expect(informer.find('team', 'web').map((entry) => entry.ref.name)).toEqual(['x', 'y']))
    await client.patch({ ...inA, name: 'x' }, { kind: 'merge', patch: { data: { team: 'db' } } })
    await eventually(() => expect(informer.find('team', 'db').map((entry) => entry.ref.name)).toEqual(['x']))
    expect(informer.find('team', 'web')).toHaveLength(1)
    expect(() => informer.find('typo', 'web')).toThrow(TypeError)
  })

  test('caches only the value that keep returns', async () => {
    await create('x', client, { data: { large: 'x'.repeat(100) } })
    const { informer } = start<string>({ keep: ({ metadata }) => metadata.uid })
    await informer.synced
    expect(informer.get(ref('x'))).toBe('uid-1')
  })

  test('requests only metadata when configured', async () => {
    await create('x', client, { data: { a: '1' } })
    const { informer } = start({ form: 'metadata' })
    await informer.synced
    expect(informer.get(ref('x'))).not.toHaveProperty('data')
  })

  test('distinguishes objects of the same name in different clusters', async () => {
    await create('x', client.in('one'))
    await create('x', client.in('two'))
    const { informer } = start({ at: { ...configMaps, cluster: '*' } })
    await informer.synced
    expect(informer.size).toBe(2)
    expect(informer.get(ref('x', 'two'))).toBeDefined()
  })

  test('a later handler receives the cached objects', async () => {
    await create('x')
    const { informer } = start()
    await informer.synced
    const late: string[] = []
    informer.on((event) => late.push(event.ref.name))
    expect(late).toEqual(['x'])
  })
})
