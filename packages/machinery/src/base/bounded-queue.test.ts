import { expect, test } from 'vitest'
import { isAbortError } from './abort.ts'
import { BoundedQueue } from './bounded-queue.ts'

test('a full queue rejects new values and keeps the queued ones', async () => {
  const queue = new BoundedQueue<number>(2)
  expect([queue.offer(1), queue.offer(2), queue.offer(3)]).toEqual([true, true, false])
  expect(queue.size).toBe(2)
  expect(await queue.take()).toBe(1)
  expect(queue.offer(4)).toBe(true)
})

test('waiting consumers receive values in the order they called take', async () => {
  const queue = new BoundedQueue<string>(1)
  const takes = [queue.take(), queue.take()]
  queue.offer('a')
  queue.offer('b')
  expect(await Promise.all(takes)).toEqual(['a', 'b'])
})

test('a closed queue can be drained and then ends', async () => {
  const queue = new BoundedQueue<number>(5)
  queue.offer(1)
  queue.close()
  expect(queue.offer(2)).toBe(false)
  expect(await Array.fromAsync(queue)).toEqual([1])
})

test('close resolves waiting consumers with undefined', async () => {
  const queue = new BoundedQueue<number>(1)
  const take = queue.take()
  queue.close()
  expect(await take).toBeUndefined()
})

test('an aborted take does not consume a value', async () => {
  const queue = new BoundedQueue<number>(1)
  const controller = new AbortController()
  const aborted = queue.take(controller.signal)
  const kept = queue.take()
  controller.abort()
  await expect(aborted).rejects.toSatisfy(isAbortError)
  queue.offer(1)
  expect(await kept).toBe(1)
})
