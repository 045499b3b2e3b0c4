import { isAbortError, ManualClock } from '@hykube/machinery/base'
import { conflict } from '@hykube/machinery/status'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventually } from '../client/testing/index.ts'
import { type ReconcileResult, runController } from './run-controller.ts'
import { WorkQueue } from './work-queue.ts'

describe('work queue', () => {
  test('queues a key once however often it is added', async () => {
    const queue = new WorkQueue()
    for (const key of ['a', 'b', 'a']) queue.add(key)
    expect([await queue.take(), await queue.take(), queue.size]).toEqual(['a', 'b', 0])
  })

  test('queues a key again that is added while it is processed', async () => {
    const queue = new WorkQueue()
    queue.add('a')
    await queue.take()
    queue.add('a')
    expect(queue.size).toBe(0)
    queue.done('a')
    expect(queue.size).toBe(1)
  })

  test('applies the earlier of two delays, and add cancels a delay', async () => {
    const clock = new ManualClock()
    const queue = new WorkQueue({ clock })
    queue.addAfter('a', 100)
    queue.addAfter('a', 10)
    queue.addAfter('b', 10)
    queue.add('b')
    clock.advance(10)
    await eventually(() => expect(queue.size).toBe(2))
    await queue.take()
    await queue.take()
    queue.done('a')
    queue.done('b')
    clock.advance(1000)
    await Promise.resolve()
    expect(queue.idle).toBe(true)
  })

  test('retries with growing delays up to a maximum, and starts over after forget', async () => {
    const clock = new ManualClock()
    const queue = new WorkQueue({ clock, initialRetry: 10, maximumRetry: 25 })
    const waits: number[] = []
    for (const forget of [false, false, false, true]) {
      if (forget) queue.forget('a')
      queue.retry('a')
      const before = clock.now()
      await eventually(() => {
        if (queue.size === 0) clock.advance(1)
        expect(queue.size).toBe(1)
      })
      waits.push(Math.round((clock.now() - before) / 5) * 5)
      await queue.take()
      queue.done('a')
    }
    expect(waits).toEqual([10, 20, 25, 10])
  })

  test('close resolves all waiting workers', async () => {
    const queue = new WorkQueue()
    const take = queue.take()
    queue.addAfter('later', 1e6)
    queue.close()
    queue.add('x')
    expect(await take).toBeUndefined()
    expect(await queue.take()).toBeUndefined()
    expect(queue.idle).toBe(true)
  })

  test('an aborted take does not consume a key', async () => {
    const queue = new WorkQueue()
    const controller = new AbortController()
    const given = queue.take(controller.signal)
    const kept = queue.take()
    controller.abort()
    await expect(given).rejects.toSatisfy(isAbortError)
    queue.add('x')
    expect(await kept).toBe('x')
  })

  test('loses no key and gives none to two workers, in any order of calls', async () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), what: fc.constantFrom('add', 'take', 'done') })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const queue = new WorkQueue()
        const owed = new Set<string>()
        const working = new Set<string>()
        for (const { key, what } of steps) {
          if (what === 'add') {
            queue.add(key)
            owed.add(key)
          } else if (what === 'take' && queue.size > 0) {
            const taken = (await queue.take())!
            expect(working.has(taken)).toBe(false)
            working.add(taken)
            owed.delete(taken)
          } else if (what === 'done' && working.delete(key)) queue.done(key)
        }
        for (const key of working) queue.done(key)
        const left = new Set<string>()
        while (queue.size > 0) left.add((await queue.take())!)
        expect(left).toEqual(owed)
      }),
    )
  })
})

describe('controller', () => {
  function logger() {
    const lines: string[] = []
    return {
      lines,
      error: (message: string) => lines.push(`error ${message}`),
      debug: (message: string) => lines.push(`debug ${message}`),
    }
  }

  test('reconciles until nothing is left to do, and stops with its signal', async () => {
    const clock = new ManualClock()
    const queue = new WorkQueue({ clock })
    const stop = new AbortController()
    const log = logger()
    const answers: (ReconcileResult | Error)[] = [
      { kind: 'again' },
      new Error('broken'),
      conflict({ group: '', resource: 'pods' }, 'x', 'moved'),
      { kind: 'after', milliseconds: 5000 },
      undefined,
    ]
    let calls = 0
    const reconcile = async () => {
      const answer = answers[calls++]
      if (answer instanceof Error) throw answer
      return answer
    }
    const running = runController({ name: 'test', queue, reconcile, logger: log, workers: 2 }, stop.signal)
    queue.add('x')
    await eventually(() => {
      clock.advance(1000)
      expect(calls).toBe(5)
    })
    await eventually(() => expect(queue.idle).toBe(true))
    stop.abort()
    await running
    expect(log.lines.map((line) => line.split(' ')[0])).toEqual(['error', 'debug'])
  })
})
