import { timeToText } from '@hykube/machinery/amounts'
import { ManualClock } from '@hykube/machinery/base'
import { StatusError } from '@hykube/machinery/status'
import { eventually } from '@hykube/runtime/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { FakeWorld } from '../testing/index.ts'
import { runEventExpiryController } from './controller.ts'
import { expireEvents } from './reconcile.ts'

const events = { group: '', version: 'v1', resource: 'events', namespace: 'a' }
const minute = 60_000
const start = 1_800_000_000_000

let clock: ManualClock
let world: FakeWorld

beforeEach(() => {
  clock = new ManualClock(start)
  world = new FakeWorld({ clock })
})

const names = async () => (await world.api.client('team').list(events)).items.map(({ metadata }) => metadata?.name)
const create = (name: string, event: object = {}) =>
  world.api.client('team').create(events, { metadata: { name }, ...event })
const step = (from?: string, pageSize = 500) =>
  expireEvents({ clientFor: world.context.clientFor, now: clock.now(), pageSize }, from, world.stop.signal)

describe('an event', () => {
  test('is deleted an hour after it last occurred', async () => {
    const later = timeToText(start + 30 * minute)
    await create('old')
    await create('seen-again', { lastTimestamp: later })
    await create('in-a-series', { series: { lastObservedTime: later } })
    clock.advance(61 * minute)
    await create('new')
    await step()
    expect(await names()).toEqual(['in-a-series', 'new', 'seen-again'])
    clock.advance(31 * minute)
    await step()
    expect(await names()).toEqual(['new'])
  })

  test('is kept when it occurs again during deletion', async () => {
    const { metadata } = await create('old')
    clock.advance(61 * minute)
    world.api.fault = ({ method, body }) => {
      if (method === 'DELETE') {
        expect((body as { preconditions?: object }).preconditions).toEqual({
          uid: metadata.uid,
          resourceVersion: metadata.resourceVersion,
        })
        world.api.store.update({ ...events, cluster: 'team', name: 'old' }, { metadata: { name: 'old' }, count: 2 })
      }
      return undefined
    }
    await step()
    expect(await names()).toEqual(['old'])
  })
})

describe('the scan', () => {
  test('reads one page at a time', async () => {
    for (const name of ['a', 'b', 'c']) await create(name)
    const first = await step(undefined, 2)
    expect(first.next).toBeDefined()
    expect((await step(first.next, 2)).next).toBeUndefined()
  })

  test('is repeated, also after an error', async () => {
    await create('old')
    let failures = 1
    world.api.fault = () => (failures-- > 0 ? new StatusError('ServiceUnavailable', 'not yet') : undefined)
    const running = runEventExpiryController(world.context, world.stop.signal)
    await eventually(() => expect(clock.sleeping).toBe(1))
    expect(world.errors).toHaveLength(1)
    await eventually(async () => {
      clock.advance(minute)
      expect(await names()).toEqual([])
    })
    world.stop.abort()
    await running
  })
})
