import { expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

test('delays double up to the maximum and start over after reset', () => {
  const backoff = createBackoff({ initial: 100, maximum: 350, jitter: 0 })
  expect([backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([100, 200, 350, 350])
  backoff.reset()
  expect(backoff.next()).toBe(100)
})

test('jitter only shortens a delay', () => {
  expect(createBackoff({ initial: 100, jitter: 0.5, random: () => 1 }).next()).toBe(50)
  expect(createBackoff({ initial: 100, jitter: 0.5, random: () => 0 }).next()).toBe(100)
})
