import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Client, FairSeats } from './fair-seats.ts'
import type { FlowUser } from './flow-user.ts'

const connected: Client = { isDisconnected: false, signal: new AbortController().signal }

function user(name: string, ...groups: string[]): FlowUser {
  return { name, groups }
}

/** Work that ends when the test calls `end`. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

function record(order: string[], name: string, work: () => Promise<void>): Promise<void> {
  order.push(name)
  return work()
}

/** Waits until no scheduled work is left. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

describe('fair seats', () => {
  test('gives a single user every seat that is not reserved', async () => {
    const seats = new FairSeats({ seats: 5, seatsPerUser: 1 })
    const works = Array.from({ length: 5 }, held)
    const runs = works.map(({ work }) => seats.run(user('a'), connected, work))
    await settle()
    expect(seats.load).toEqual({ taken: 4, waiting: 1 })
    for (const { end } of works) end()
    await Promise.all(runs)
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('gives reserved seats to users who hold none', async () => {
    const seats = new FairSeats({ seats: 4, reservedSeats: 2 })
    const order: string[] = []
    const { work, end } = held()
    const runs = ['flood', 'flood', 'flood', 'a', 'a', 'b', 'c'].map((name) =>
      seats.run(user(name), connected, () => record(order, name, work)),
    )
    await settle()
    expect(order).toEqual(['flood', 'flood', 'a', 'b'])
    expect(seats.load).toEqual({ taken: 4, waiting: 3 })
    end()
    await Promise.all(runs)
  })

  test('serves members of system:masters apart from other users’ seats and queue', async () => {
    const seats = new FairSeats({ seats: 2, reservedSeats: 0, waiting: 1 })
    const { work, end } = held()
    const runs = ['a', 'b', 'c'].map((name) => seats.run(user(name), connected, work))
    await expect(seats.run(user('admin'), connected, work)).rejects.toMatchObject({ reason: 'TooManyRequests' })
    const master = user('admin', 'system:masters')
    const answers = Array.from({ length: 20 }, (_, at) => seats.run(master, connected, async () => at))
    expect(await Promise.all(answers)).toHaveLength(20)
    end()
    await Promise.all(runs)
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('gives the next free seat to a new user before the queue of a flood', async () => {
    const seats = new FairSeats({ seats: 2, seatsPerUser: 1 })
    const flood = Array.from({ length: 10 }, held)
    const order: string[] = []
    const runs = flood.map(({ work }, at) =>
      seats.run(user('flood'), connected, () => record(order, `flood ${at}`, work)),
    )
    const small = held()
    const run = seats.run(user('small'), connected, () => record(order, 'small', small.work))
    await settle()
    expect(order).toEqual(['flood 0', 'flood 1'])
    flood[0]!.end()
    await settle()
    expect(order.at(-1)).toBe('small')
    small.end()
    for (const { end } of flood) end()
    await Promise.all([...runs, run])
    expect(order).toHaveLength(11)
  })

  test('rejects requests above the queue limit with a retry time', async () => {
    const seats = new FairSeats({ seats: 1, waitingPerUser: 1 })
    const first = held()
    const run = seats.run(user('a'), connected, first.work)
    const second = seats.run(user('a'), connected, async () => 'second')
    await expect(seats.run(user('a'), connected, async () => {})).rejects.toMatchObject({
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 1 },
    })
    first.end()
    await run
    expect(await second).toBe('second')
  })

  test('does not run a request whose client disconnected while it was queued', async () => {
    const seats = new FairSeats({ seats: 1 })
    const first = held()
    const run = seats.run(user('a'), connected, first.work)
    const controller = new AbortController()
    const client = { signal: controller.signal, isDisconnected: false }
    const order: string[] = []
    const waiting = seats.run(user('a'), client, () => record(order, 'worked', async () => {}))
    controller.abort()
    client.isDisconnected = true
    first.end()
    await run
    await expect(waiting).rejects.toThrow()
    expect(order).toEqual([])
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('starts a flood a few at a time and lets other requests in between', async () => {
    let now = 0
    const seats = new FairSeats({ now: () => now })
    const order: string[] = []
    const work = (name: string) => () => {
      now += 0.4
      return record(order, name, async () => {})
    }
    await seats.run(user('small'), connected, async () => {})
    await nextTurn()
    const runs = Array.from({ length: 30 }, (_, at) => seats.run(user('flood'), connected, work(`flood ${at}`)))
    await Promise.resolve()
    const before = order.length
    await nextTurn()
    await seats.run(user('small'), connected, work('small'))
    await Promise.all(runs)
    expect(before).toBeLessThanOrEqual(8)
    expect(order.indexOf('small')).toBeLessThan(14)
    expect(order).toHaveLength(31)
  })

  test('alternates pieces of long work among users', async () => {
    const seats = new FairSeats()
    const order: string[] = []
    const pieces = (name: string) =>
      Array.from({ length: 3 }, () =>
        seats
          .turnsOf(user(name))
          .next()
          .then(() => void order.push(name)),
      )
    await Promise.all([...pieces('a'), ...pieces('b')])
    expect(order.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b'])
    expect(order.slice(0, 2).toSorted()).toEqual(['a', 'b'])
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('releases the seat when the work fails', async () => {
    const seats = new FairSeats({ seats: 1 })
    await expect(seats.run(user('a'), connected, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await seats.run(user('a'), connected, async () => 'yes')).toBe('yes')
  })
})
