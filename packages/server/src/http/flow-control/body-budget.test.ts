import { describe, expect, test } from 'vitest'
import type { BodyMeter } from '../front/index.ts'
import { BodyBudget, type BodySource } from './body-budget.ts'

const user = (name: string, ...groups: string[]) => ({ name, groups })
const tooMany = { reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } }

/** A body that has arrived. */
function body(bytes: number): BodySource {
  return {
    body: async (meter) => {
      meter(bytes)
      return new Uint8Array(bytes)
    },
  }
}

/** A body whose pieces the test sends. */
function slowBody() {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  let meter: BodyMeter = () => {}
  const source: BodySource = {
    body: (given) => {
      meter = given
      return promise
    },
  }
  return { source, arrive: (bytes: number) => meter(bytes), end: () => resolve(new Uint8Array(0)), fail: reject }
}

describe('the body budget', () => {
  test('bounds the memory of one user until its requests are answered', async () => {
    const budget = new BodyBudget({ bytesPerUser: 10 })
    const release = await budget.read(user('a'), body(8))
    await expect(budget.read(user('a'), body(3))).rejects.toMatchObject(tooMany)
    await budget.read(user('b'), body(3))
    release()
    expect(budget.load).toEqual({ bodies: 1, bytes: 3 })
    await budget.read(user('a'), body(10))
  })

  test('counts what has arrived of unfinished bodies, and their number', async () => {
    const budget = new BodyBudget({ bytesPerUser: 10, bodiesPerUser: 2 })
    const one = slowBody()
    const other = slowBody()
    const reading = [budget.read(user('a'), one.source), budget.read(user('a'), other.source)]
    await expect(budget.read(user('a'), body(0))).rejects.toMatchObject(tooMany)
    one.arrive(6)
    other.arrive(4)
    expect(() => other.arrive(1)).toThrow('too many unfinished request bodies')
    one.end()
    other.fail(new Error('the client disconnected'))
    const release = await reading[0]!
    await expect(reading[1]).rejects.toThrow('disconnected')
    expect(budget.load).toEqual({ bodies: 1, bytes: 6 })
    release()
    expect(budget.load).toEqual({ bodies: 0, bytes: 0 })
  })

  test('bounds all users together, but never system:masters', async () => {
    const budget = new BodyBudget({ bytes: 10, bodies: 2 })
    await budget.read(user('a'), body(5))
    await budget.read(user('b'), body(5))
    await expect(budget.read(user('c'), body(0))).rejects.toMatchObject(tooMany)
    await budget.read(user('admin', 'system:masters'), body(1 << 20))
    expect(budget.load).toEqual({ bodies: 2, bytes: 10 })
  })
})
