import { expect, test } from 'vitest'
import { inParallel } from './in-parallel.ts'

test('results are in the order of the items, at most the limit at a time', async () => {
  let running = 0
  let most = 0
  const doubled = await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running)
    for (let turn = item; turn < 5; turn++) await Promise.resolve()
    running--
    return item * 2
  })
  expect(doubled).toEqual([2, 4, 6, 8, 10])
  expect(most).toBe(2)
})

test('lanes share an asynchronous source, and a failure is thrown when the other lanes have ended', async () => {
  async function* source() {
    yield* [1, 2, 3]
  }
  const done: number[] = []
  const all = inParallel(source(), 2, async (item) => {
    if (item === 1) throw new Error('first')
    done.push(item)
  })
  await expect(all).rejects.toThrow('first')
  expect(done).toEqual([2, 3])
})
