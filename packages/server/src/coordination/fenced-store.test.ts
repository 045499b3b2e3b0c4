import { expect, test } from 'vitest'
import { encodeKey, openMemoryStore } from '../storage/index.ts'
import { FencedOff, fencedStore } from './fenced-store.ts'
import { fenceCondition, leaseSpace, takeLease } from './lease-record.ts'

const data = { name: 'data', segments: 1, history: false }
const key = encodeKey('data', ['a'])
const put = { kind: 'put', key, value: new Uint8Array(1) } as const

async function terms() {
  const store = await openMemoryStore({ spaces: [leaseSpace, data] })
  const first = (await takeLease(store, 'engine', { fence: undefined, beat: undefined }, 'one'))!
  const fenced = fencedStore(store, fenceCondition('engine', first.fence))
  const passOn = () => takeLease(store, 'engine', first, 'two')
  return { store, fenced, passOn }
}

test('the lease holder can write, and conflicts are reported as usual', async () => {
  const { fenced } = await terms()
  expect((await fenced.commit({ operations: [put] })).kind).toBe('committed')
  expect((await fenced.commit({ operations: [{ ...put, expect: 'absent' }] })).kind).toBe('refused')
  expect((await fenced.commit({ operations: [put], conditions: [{ key, expect: 'absent' }] })).kind).toBe('refused')
})

test('writes fail with FencedOff after the lease is lost, and reads still work', async () => {
  const { store, fenced, passOn } = await terms()
  await passOn()
  await expect(fenced.commit({ operations: [put] })).rejects.toBeInstanceOf(FencedOff)
  expect(await store.get(key)).toBeUndefined()
  expect(await fenced.get(key)).toBeUndefined()
})
