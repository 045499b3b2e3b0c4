import { ProviderFailure } from '@hykube/provider-sdk/provider'
import { expect, test } from 'vitest'
import { Cloud, type WantedChange } from './cloud.ts'
import type { World, WorldObject } from './world.ts'

// Rejects a whole batch when it contains the id, like a database transaction.
function worldWithout(refused: string): World & { readonly objects: Map<string, WorldObject | undefined> } {
  const objects = new Map<string, WorldObject | undefined>()
  return {
    objects,
    read: async (_, id) => objects.get(id),
    readMany: async (_, ids) => ids.map((id) => objects.get(id)),
    writeMany: async (_, writes) => {
      if (writes.some(([id]) => id === refused)) throw new Error(`the world refuses ${refused}`)
      for (const [id, object] of writes) objects.set(id, object)
    },
    async *list() {},
    close: () => {},
  }
}

const create = (id: string): WantedChange => ({ kind: 'create', id, subject: () => id, object: { id } })
const wait = { signal: new AbortController().signal }

test('a change that the store rejects does not affect the others', async () => {
  const world = worldWithout('b')
  const cloud = new Cloud({ world, latency: 0, failureRate: 0, seed: 0 })
  const outcomes = await cloud.change('thing', ['a', 'b', 'c'].map(create), wait)
  expect(outcomes).toEqual([{ id: 'a' }, expect.any(ProviderFailure), { id: 'c' }])
  expect((outcomes[1] as Error).message).toBe('the world refuses b')
  expect([...world.objects.keys()]).toEqual(['a', 'c'])
  await expect(cloud.change('thing', [create('b')], wait)).rejects.toThrow('the world refuses b')
})
