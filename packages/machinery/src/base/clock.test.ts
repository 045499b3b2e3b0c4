import { expect, test } from 'vitest'
import { isAbortError } from './abort.ts'
import { ManualClock, systemClock } from './clock.ts'

test('advance wakes the due sleepers in the order of their deadlines', async () => {
  const clock = new ManualClock(1000)
  const woken: string[] = []
  const sleeps = [
    clock.sleep(20).then(() => woken.push('late')),
    clock.sleep(10).then(() => woken.push('early')),
    clock.sleep(99).then(() => woken.push('never')),
  ]
  clock.advance(20)
  await Promise.all(sleeps.slice(0, 2))
  expect(woken).toEqual(['early', 'late'])
  expect(clock.sleeping).toBe(1)
  expect(clock.now()).toBe(1020)
})

test.each([
  ['a manual clock', new ManualClock()],
  ['the system clock', systemClock],
])('%s rejects a sleep when its signal aborts', async (_, clock) => {
  const controller = new AbortController()
  const sleep = clock.sleep(1e9, controller.signal)
  controller.abort()
  await expect(sleep).rejects.toSatisfy(isAbortError)
  await expect(clock.sleep(1, controller.signal)).rejects.toSatisfy(isAbortError)
})
