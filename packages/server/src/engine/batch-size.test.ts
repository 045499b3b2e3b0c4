import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BatchSize, mostInBatch } from './batch-size.ts'

test('a few go by themselves, more go together', () => {
  const size = new BatchSize()
  expect([1, 3, 4, 200].map((count) => size.goTogether(count))).toEqual([false, false, true, true])
})

test('as many go together as are answered within a second', () => {
  const size = new BatchSize()
  size.took(200, 4000)
  expect(size.most).toBe(50)
  size.took(50, 900)
  expect(size.most).toBe(50)
  size.took(50, 400)
  size.took(100, 400)
  size.took(200, 1)
  expect(size.most).toBe(mostInBatch)
})

test('one call with little in it says nothing of larger ones', () => {
  const size = new BatchSize()
  size.took(200, 2000)
  size.took(10, 5)
  expect(size.most).toBe(100)
})

test('what is slow together goes by itself, and is tried again after a while', () => {
  const size = new BatchSize()
  size.took(200, 60_000)
  for (let sent = 0; sent < 500; sent += 50) expect(size.goTogether(50)).toBe(false)
  expect([size.goTogether(50), size.most]).toEqual([true, 4])
})

test('whatever calls take, the size stays within its bounds', () => {
  const calls = fc.array(fc.record({ count: fc.nat(200), milliseconds: fc.nat(100_000) }))
  fc.assert(
    fc.property(calls, (those) => {
      const size = new BatchSize()
      for (const { count, milliseconds } of those) size.took(Math.min(count, size.most), milliseconds)
      return size.most >= 4 && size.most <= mostInBatch
    }),
  )
})
