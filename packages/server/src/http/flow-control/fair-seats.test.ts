import { describe, expect, test } from 'vitest'
import { FairSeats } from './fair-seats.ts'

const forever = new AbortController()

/** Work that a test ends when it likes. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

function tell(order: string[], name: string, work: () => Promise<void>): Promise<void> {
  order.push(name)
  return work()
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('fair seats', () => {
  test('a user alone takes every seat', async () => {
    const seats = new FairSeats({ seats: 4, seatsInCompany: 1 })
    const works = Array.from({ length: 5 }, held)
    const runs = works.map(({ work }) => seats.run('a', forever, work))
    await settle()
    expect(seats.load).toEqual({ taken: 4, waiting: 1 })
    for (const { end } of works) end()
    await Promise.all(runs)
    expect(seats.load).toEqual({ taken: 0, waiting: 0 })
  })

  test('whoever comes into a full house gets the next seat, before the flood that waits', async () => {
    const seats = new FairSeats({ seats: 2, seatsInCompany: 1 })
    const flood = Array.from({ length: 10 }, held)
    const order: string[] = []
    const runs = flood.map(({ work }, at) => seats.run('flood', forever, () => tell(order, `flood ${at}`, work)))
    const small = held()
    const run = seats.run('small', forever, () => tell(order, 'small', small.work))
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
    const run = seats.run('a', forever, first.work)
    const second = seats.run('a', forever, async () => 'second')
    await expect(seats.run('a', forever, async () => {})).rejects.toMatchObject({
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 1 },
    })
    first.end()
    await run
    expect(await second).toBe('second')
  })

  test('who stops waiting leaves the queue', async () => {
    const seats = new FairSeats({ seats: 1 })
    const first = held()
    const run = seats.run('a', forever, first.work)
    const controller = new AbortController()
    const waiting = seats.run('a', controller, async () => {})
    controller.abort()
    await expect(waiting).rejects.toThrow()
    expect(seats.load.waiting).toBe(0)
    first.end()
    await run
  })

  test('a seat is given back when the work fails', async () => {
    const seats = new FairSeats({ seats: 1 })
    await expect(seats.run('a', forever, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await seats.run('a', forever, async () => 'yes')).toBe('yes')
  })
})
