import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../../resource/testing/index.ts'
import type { BodyProducer, BodyWriter } from '../../front/index.ts'
import { TestApi } from '../../testing/index.ts'

const path = '/api/v1/namespaces/default/configmaps'

let store: TestStore
let api: TestApi

beforeEach(async () => {
  store = await openTestStore()
  api = await TestApi.open(store.store)
})
afterEach(() => store.close())

/** A client that reads nothing until the test lets it. */
class Stalled implements BodyWriter {
  readonly signal = new AbortController().signal
  readonly lines: string[] = []
  pending = 0
  #read: (() => void)[] = []

  write(chunk: Uint8Array): Promise<void> {
    this.lines.push(...Buffer.from(chunk).toString().trim().split('\n'))
    this.pending += chunk.length
    return new Promise((resolve) => this.#read.push(resolve))
  }

  read(): void {
    this.pending = 0
    for (const resolve of this.#read.splice(0)) resolve()
  }
}

async function watch(writer: BodyWriter, watchWriteTimeout: number): Promise<{ ended: Promise<void> }> {
  api = await TestApi.over({ ...api.api, watchWriteTimeout })
  const { document } = await api.get(path)
  const { body } = await api.ask('GET', `${path}?watch=1&resourceVersion=${document.metadata.resourceVersion}`, {})
  return { ended: (body as BodyProducer)(writer) }
}

const create = (name: string) => api.post(path, { metadata: { name }, data: { text: 'x'.repeat(1000) } })

test('ends a watch with a 410 when its client does not read, and buffers nothing for it', async () => {
  const client = new Stalled()
  const { ended } = await watch(client, 500)
  await create('first')
  await expect.poll(() => client.lines.length).toBe(1)
  for (let at = 0; at < 50; at++) await create(`later-${at}`)
  await expect.poll(() => client.lines.length).toBe(2)
  client.read()
  await ended
  expect(client.lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'first' } } },
    { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
  ])
})

test('resets the stream of a client that does not read the 410 either', async () => {
  const client = new Stalled()
  const { ended } = await watch(client, 20)
  await create('first')
  await expect(ended).rejects.toThrow('its client does not read')
  expect(client.lines).toHaveLength(2)
})

test('sends everything to a slow client', async () => {
  const client = new Stalled()
  await watch(client, 60_000)
  await create('first')
  await expect.poll(() => client.lines.length).toBe(1)
  await Promise.all(Array.from({ length: 20 }, (_, at) => create(`later-${at}`)))
  await expect
    .poll(() => {
      client.read()
      return client.lines.length
    })
    .toBe(21)
})
