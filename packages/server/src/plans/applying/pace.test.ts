import { ManualClock } from '@hykube/machinery/base'
import { expect, test } from 'vitest'
import { Pace, paceOf } from './pace.ts'

const never = new AbortController().signal

test('lets one change start at once and spaces the others evenly', async () => {
  const clock = new ManualClock(1000)
  const pace = new Pace(clock, 60)
  const started: number[] = []
  const turns = [1, 2, 3].map(() => pace.turn(never).then(() => started.push(clock.now())))
  await turns[0]
  clock.advance(1000)
  await turns[1]
  clock.advance(1000)
  await Promise.all(turns)
  expect(started).toEqual([1000, 2000, 3000])
})

test('does not let changes catch up after a pause', async () => {
  const clock = new ManualClock()
  const pace = new Pace(clock, 60)
  await pace.turn(never)
  clock.advance(10_000)
  await pace.turn(never)
  void pace.turn(never)
  expect(clock.sleeping).toBe(1)
})

test('ends the wait when the apply is stopped', async () => {
  const pace = new Pace(new ManualClock(), 1)
  const stop = new AbortController()
  await pace.turn(stop.signal)
  const turn = pace.turn(stop.signal)
  stop.abort()
  await expect(turn).resolves.toBeUndefined()
})

test('is read from the annotation of a Plan, and absent without a limit', () => {
  const plan = (value?: string) => ({
    metadata: value === undefined ? {} : { annotations: { 'hykube.io/changes-per-minute': value } },
  })
  expect(paceOf(plan('100'), new ManualClock())).toBeInstanceOf(Pace)
  expect([plan(), plan('0'), plan('x')].map((each) => paceOf(each, new ManualClock()))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
