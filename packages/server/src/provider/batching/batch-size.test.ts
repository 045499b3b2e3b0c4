import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BatchSize, maxBatchSize } from './batch-size.ts'

test('sends few requests one by one and more as a batch', () => {
  const size = new BatchSize()
  expect([1, 3, 4, 200].map((count) => size.shouldBatch(count))).toEqual([false, false, true, true])
})

test('limits a batch to the requests that are answered within a second', () => {
  const size = new BatchSize()
  size.record(200, 4000)
  expect(size.max).toBe(50)
  size.record(50, 900)
  expect(size.max).toBe(50)
  size.record(50, 400)
  size.record(100, 400)
  size.record(200, 1)
  expect(size.max).toBe(maxBatchSize)
})

test('does not grow after a fast batch below the maximum', () => {
  const size = new BatchSize()
  size.record(200, 2000)
  size.record(10, 5)
  expect(size.max).toBe(100)
})

test('stops batching when the smallest batch is slow, and tries again later', () => {
  const size = new BatchSize()
  size.record(200, 60_000)
  for (let sent = 0; sent < 500; sent += 50) expect(size.shouldBatch(50)).toBe(false)
  expect([size.shouldBatch(50), size.max]).toEqual([true, 4])
})

test('keeps the size within its bounds for any latency', () => {
  const calls = fc.array(fc.record({ count: fc.nat(200), milliseconds: fc.nat(100_000) }))
  fc.assert(
    fc.property(calls, (those) => {
      const size = new BatchSize()
      for (const { count, milliseconds } of those) size.record(Math.min(count, size.max), milliseconds)
      return size.max >= 4 && size.max <= maxBatchSize
    }),
  )
})
