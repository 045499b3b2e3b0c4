import { expect, test } from 'vitest'
import { collectAsync, filterAsync, mapAsync, takeAsync } from './async-iterables.ts'

async function* counted(to: number): AsyncGenerator<number> {
  for (let i = 1; i <= to; i++) yield i
}

test('map, filter, take and collect compose', async () => {
  const doubled = mapAsync(counted(10), (value) => value * 2)
  const chosen = filterAsync(doubled, (value) => value % 4 === 0)
  expect(await collectAsync(takeAsync(chosen, 3))).toEqual([4, 8, 12])
})

test('takeAsync closes its source after the last value', async () => {
  let closed = false
  async function* source(): AsyncGenerator<number> {
    try {
      for (;;) yield 1
    } finally {
      closed = true
    }
  }
  expect(await collectAsync(takeAsync(source(), 2))).toEqual([1, 1])
  expect(closed).toBe(true)
})

test('takeAsync with a count of 0 yields nothing', async () => {
  expect(await collectAsync(takeAsync(counted(1), 0))).toEqual([])
})
