import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Client, FairSeats } from './fair-seats.ts'
import type { FlowUser } from './flow-user.ts'
import { LoopTurn } from './loop-turn.ts'

const forever: Client = { hasLeft: false, signal: new AbortController().signal }

function user(name: string, ...groups: string[]): FlowUser {
  return { name, groups }
}

/** Work that a test ends when it likes. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

function tell(order: string[], name: string, work: () => Promise<void>): Promise<void> {
  order.push(name)
  return work()
}

/** Everything that can happen by itself has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

describe('fair seats', () => {
  test('a user alone takes every seat that is not reserved', async () => {
    const seats = new FairSeats({ seats: 5, seatsInCompany: 1 })
    const works = Array.from({ length: 5 }, held)
    const runs = works.map(({ work }) => seats.run(user('a'), forever, work))
    await settle()
    expect(seats.load).toEqual({ taken: 4, waiting: 1 })
    for (const { end } of works) end()
    await Promise.all(runs)
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('reserved seats go to users who hold none', async () => {
    const seats = new FairSeats({ seats: 4, reservedSeats: 2 })
    const order: string[] = []
    const { work, end } = held()
    const runs = ['flood', 'flood', 'flood', 'a', 'a', 'b', 'c'].map((name) =>
      seats.run(user(name), forever, () => tell(order, name, work)),
    )
    await settle()
    expect(order).toEqual(['flood', 'flood', 'a', 'b'])
    expect(seats.load).toEqual({ taken: 4, waiting: 3 })
    end()
    await Promise.all(runs)
  })

  test('members of system:masters need no seat that other users hold, and wait in no common queue', async () => {
    const seats = new FairSeats({ seats: 2, reservedSeats: 0, waiting: 1 })
    const { work, end } = held()
    const runs = ['a', 'b', 'c'].map((name) => seats.run(user(name), forever, work))
    await expect(seats.run(user('admin'), forever, work)).rejects.toMatchObject({ reason: 'TooManyRequests' })
    const master = user('admin', 'system:masters')
    const answers = Array.from({ length: 20 }, (_, at) => seats.run(master, forever, async () => at))
    expect(await Promise.all(answers)).toHaveLength(20)
    end()
    await Promise.all(runs)
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('whoever comes into a full house gets the next seat, before the flood that waits', async () => {
    const seats = new FairSeats({ seats: 2, seatsInCompany: 1 })
    const flood = Array.from({ length: 10 }, held)
    const order: string[] = []
    const runs = flood.map(({ work }, at) => seats.run(user('flood'), forever, () => tell(order, `flood ${at}`, work)))
    const small = held()
    const run = seats.run(user('small'), forever, () => tell(order, 'small', small.work))
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

  test('too many that wait are turned away with a time to come back', async () => {
    const seats = new FairSeats({ seats: 1, waitingPerUser: 1 })
    const first = held()
    const run = seats.run(user('a'), forever, first.work)
    const second = seats.run(user('a'), forever, async () => 'second')
    await expect(seats.run(user('a'), forever, async () => {})).rejects.toMatchObject({
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 1 },
    })
    first.end()
    await run
    expect(await second).toBe('second')
  })

  test('who left while it waited is not worked for', async () => {
    const seats = new FairSeats({ seats: 1 })
    const first = held()
    const run = seats.run(user('a'), forever, first.work)
    const controller = new AbortController()
    const client = { signal: controller.signal, hasLeft: false }
    const order: string[] = []
    const waiting = seats.run(user('a'), client, () => tell(order, 'worked', async () => {}))
    controller.abort()
    client.hasLeft = true
    first.end()
    await run
    await expect(waiting).rejects.toThrow()
    expect(order).toEqual([])
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('a flood is begun a few at a time, and sockets are heard in between', async () => {
    let now = 0
    const seats = new FairSeats({ turn: new LoopTurn(() => now) })
    const order: string[] = []
    const work = (name: string) => () => {
      now += 0.4
      return tell(order, name, async () => {})
    }
    await seats.run(user('small'), forever, async () => {})
    await nextTurn()
    const runs = Array.from({ length: 30 }, (_, at) => seats.run(user('flood'), forever, work(`flood ${at}`)))
    await Promise.resolve()
    const before = order.length
    await nextTurn()
    await seats.run(user('small'), forever, work('small'))
    await Promise.all(runs)
    expect(before).toBeLessThanOrEqual(8)
    expect(order.indexOf('small')).toBeLessThan(14)
    expect(order).toHaveLength(31)
  })

  test('pieces of what takes long go round among users', async () => {
    const seats = new FairSeats()
    const order: string[] = []
    const pieces = (name: string) =>
      Array.from({ length: 3 }, () => seats.piece(user(name)).then(() => void order.push(name)))
    await Promise.all([...pieces('a'), ...pieces('b')])
    expect(order.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b'])
    expect(order.slice(0, 2).toSorted()).toEqual(['a', 'b'])
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('a seat is given back when the work fails', async () => {
    const seats = new FairSeats({ seats: 1 })
    await expect(seats.run(user('a'), forever, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await seats.run(user('a'), forever, async () => 'yes')).toBe('yes')
  })
})
