import { describe, expect, test } from 'vitest'
import { abortable, isAbortError, onAbort } from './abort.ts'
import { collectAsync, filterAsync, mapAsync, takeAsync } from './async-iterables.ts'
import { createBackoff } from './backoff.ts'
import { BoundedQueue } from './bounded-queue.ts'
import { ManualClock, systemClock } from './clock.ts'
import { Mutex } from './mutex.ts'

async function* counted(to: number): AsyncGenerator<number> {
  for (let i = 1; i <= to; i++) yield i
}

describe('clock', () => {
  test('sleepers wake in the order of their times, and not before', async () => {
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
    ['the system’s clock', systemClock],
  ])('%s lets a sleeper go when its signal aborts', async (_, clock) => {
    const controller = new AbortController()
    const sleep = clock.sleep(1e9, controller.signal)
    controller.abort()
    await expect(sleep).rejects.toSatisfy(isAbortError)
    await expect(clock.sleep(1, controller.signal)).rejects.toSatisfy(isAbortError)
  })
})

describe('abort', () => {
  test('a callback runs at once when the signal has aborted', () => {
    let calls = 0
    onAbort(AbortSignal.abort(), () => calls++)
    expect(calls).toBe(1)
  })

  test('a callback that was taken back does not run', () => {
    const controller = new AbortController()
    let calls = 0
    onAbort(controller.signal, () => calls++)()
    controller.abort()
    expect(calls).toBe(0)
  })

  test('waiting ends with the signal’s own reason', async () => {
    const controller = new AbortController()
    const waiting = abortable(new Promise(() => {}), controller.signal)
    controller.abort(new Error('shutting down'))
    await expect(waiting).rejects.toThrow('shutting down')
  })

  test('a promise that is there wins', async () => {
    expect(await abortable(Promise.resolve(1), new AbortController().signal)).toBe(1)
  })
})

describe('backoff', () => {
  test('waits double up to the maximum and begin anew after reset', () => {
    const backoff = createBackoff({ initial: 100, maximum: 350, jitter: 0 })
    expect([backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([100, 200, 350, 350])
    backoff.reset()
    expect(backoff.next()).toBe(100)
  })

  test('chance only ever shortens a wait', () => {
    expect(createBackoff({ initial: 100, jitter: 0.5, random: () => 1 }).next()).toBe(50)
    expect(createBackoff({ initial: 100, jitter: 0.5, random: () => 0 }).next()).toBe(100)
  })
})

describe('async iterables', () => {
  test('map, filter, take and collect compose', async () => {
    const doubled = mapAsync(counted(10), (value) => value * 2)
    const chosen = filterAsync(doubled, (value) => value % 4 === 0)
    expect(await collectAsync(takeAsync(chosen, 3))).toEqual([4, 8, 12])
  })

  test('take closes its source', async () => {
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

  test('taking nothing reads nothing', async () => {
    expect(await collectAsync(takeAsync(counted(1), 0))).toEqual([])
  })
})

describe('bounded queue', () => {
  test('a full queue refuses and keeps what it has', async () => {
    const queue = new BoundedQueue<number>(2)
    expect([queue.offer(1), queue.offer(2), queue.offer(3)]).toEqual([true, true, false])
    expect(queue.size).toBe(2)
    expect(await queue.take()).toBe(1)
    expect(queue.offer(4)).toBe(true)
  })

  test('whoever waits gets the next value, first come first served', async () => {
    const queue = new BoundedQueue<string>(1)
    const takes = [queue.take(), queue.take()]
    queue.offer('a')
    queue.offer('b')
    expect(await Promise.all(takes)).toEqual(['a', 'b'])
  })

  test('a closed queue is emptied and then ends', async () => {
    const queue = new BoundedQueue<number>(5)
    queue.offer(1)
    queue.close()
    expect(queue.offer(2)).toBe(false)
    expect(await collectAsync(queue)).toEqual([1])
  })

  test('closing lets those who wait go', async () => {
    const queue = new BoundedQueue<number>(1)
    const take = queue.take()
    queue.close()
    expect(await take).toBeUndefined()
  })

  test('who stops waiting takes no value away from others', async () => {
    const queue = new BoundedQueue<number>(1)
    const controller = new AbortController()
    const given = queue.take(controller.signal)
    const kept = queue.take()
    controller.abort()
    await expect(given).rejects.toSatisfy(isAbortError)
    queue.offer(1)
    expect(await kept).toBe(1)
  })
})

describe('mutex', () => {
  test('work runs one at a time, in order, also after a failure', async () => {
    const mutex = new Mutex()
    const log: string[] = []
    const work = (name: string) => async () => {
      log.push(`${name} begins`)
      await Promise.resolve()
      log.push(`${name} ends`)
      if (name === 'b') throw new Error(name)
    }
    const results = await Promise.allSettled([mutex.run(work('a')), mutex.run(work('b')), mutex.run(work('c'))])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })
})
