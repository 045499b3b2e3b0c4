import { ManualClock } from '@hykube/machinery/base'
import { beforeEach, describe, expect, test } from 'vitest'
import { encodeKey, openMemoryStore, type Store } from '../storage/index.ts'
import { Leases, leaseSpace } from './leases.ts'
import { whileHolding } from './while-holding.ts'

const data = { name: 'data', segments: 1, history: false }
const key = encodeKey('data', ['a'])
const never = new AbortController().signal

let store: Store
let clock: ManualClock

beforeEach(async () => {
  store = await openMemoryStore({ spaces: [leaseSpace, data] })
  clock = new ManualClock(1000)
})

const leasesOf = (holder: string, over: Store = store) => new Leases({ store: over, holder, clock })

// Advances the clock in small steps, so that waiting tasks run in between.
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    clock.advance(250)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A store whose connection can be cut. */
function cuttable(): { readonly store: Store; cut(): void } {
  let isCut = false
  const reach = <T>(work: () => Promise<T>): Promise<T> => (isCut ? Promise.reject(new Error('cut off')) : work())
  const reached: Store = Object.create(store, {
    get: { value: (...given: Parameters<Store['get']>) => reach(() => store.get(...given)) },
    commit: { value: (...given: Parameters<Store['commit']>) => reach(() => store.commit(...given)) },
  })
  const cut = () => {
    isCut = true
  }
  return { store: reached, cut }
}

test('acquires a free lease immediately and releases it for the next', async () => {
  const first = await leasesOf('one').acquire('work', never)
  let second: string | undefined
  const waiting = leasesOf('two')
    .acquire('work', never)
    .then((lease) => {
      second = lease.name
    })
  await pass(3000)
  expect(second).toBeUndefined()
  await first.release()
  expect(first.lost.aborted).toBe(true)
  await pass(1250)
  await waiting
  expect(second).toBe('work')
})

test('leases of different names are independent', async () => {
  const leases = leasesOf('one')
  const all = await Promise.all(['a', 'b', 'c'].map((name) => leases.acquire(name, never)))
  expect(all.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('only one of many concurrent servers acquires a lease', async () => {
  let held = 0
  for (let at = 0; at < 5; at++)
    void leasesOf(`${at}`)
      .acquire('work', never)
      .then(() => held++)
  await pass(2000)
  expect(held).toBe(1)
})

test('a holder that sends heartbeats keeps the lease', async () => {
  const lease = await leasesOf('one').acquire('work', never)
  const asked = new AbortController()
  const other = leasesOf('two').acquire('work', asked.signal)
  await pass(60_000)
  expect(lease.lost.aborted).toBe(false)
  asked.abort()
  await expect(other).rejects.toThrow()
})

describe('a holder that loses the store', () => {
  test('gives up before another server takes over within fifteen seconds, and can no longer write', async () => {
    const way = cuttable()
    const lease = await leasesOf('one', way.store).acquire('work', never)
    let takenOver: number | undefined
    const other = leasesOf('two')
      .acquire('work', never)
      .then((next) => {
        takenOver = clock.now()
        return next
      })
    await pass(7000)
    way.cut()
    const cutAt = clock.now()
    let gaveUp: number | undefined
    lease.lost.addEventListener('abort', () => {
      gaveUp = clock.now()
    })
    await pass(15_000)
    expect(takenOver! - cutAt).toBeLessThanOrEqual(15_000)
    expect(gaveUp!).toBeLessThan(takenOver!)
    const next = await other
    const write = (fence: typeof lease.fence) =>
      store.commit({ operations: [{ kind: 'put', key, value: new Uint8Array(1) }], conditions: [fence] })
    expect((await write(lease.fence)).kind).toBe('refused')
    expect((await write(next.fence)).kind).toBe('committed')
  })
})

test('a fence stays valid through many heartbeats', async () => {
  const { fence } = await leasesOf('one').acquire('work', never)
  await pass(30_000)
  const outcome = await store.commit({
    operations: [{ kind: 'put', key, value: new Uint8Array(1) }],
    conditions: [fence],
  })
  expect(outcome.kind).toBe('committed')
})

test('work runs on one server at a time and continues on another when that one stops', async () => {
  const log: string[] = []
  const stops = ['one', 'two'].map((holder) => {
    const stop = new AbortController()
    const running = whileHolding(leasesOf(holder), 'work', stop.signal, async (_, signal) => {
      log.push(`${holder} begins`)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      log.push(`${holder} ends`)
    })
    return { stop, running }
  })
  await pass(2000)
  expect(log).toHaveLength(1)
  const first = log[0] === 'one begins' ? 0 : 1
  stops[first]!.stop.abort()
  await pass(2000)
  await stops[first]!.running
  expect(log.map((line) => line.split(' ')[1])).toEqual(['begins', 'ends', 'begins'])
  stops[1 - first]!.stop.abort()
  await pass(500)
  await stops[1 - first]!.running
  expect(log).toHaveLength(4)
})
