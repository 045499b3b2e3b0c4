import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

type Answer = Readonly<Record<string, unknown>>

/** Has the provider add to what it made. */
function answers(s: Scenario, method: string, change: (answer: Answer) => Answer): void {
  s.engine.providers.intercept = (call) =>
    call.method === method ? call.go().then((answer) => change(answer as Answer)) : undefined
}

const network = { name: 'a', cidr: '10.0.0.0/16' }

describe('an outcome as large as a provider may answer', () => {
  test.each<[string, (answer: Answer) => Answer]>([
    ['private data of 15 MiB', (answer) => ({ ...answer, private: new Uint8Array(15 << 20).fill(1) })],
    [
      'a value of 15 MiB',
      (answer) => ({ ...answer, newState: { ...(answer.newState as object), id: 'x'.repeat(15 << 20) } }),
    ],
    [
      'a value of 15 MiB of control characters',
      (answer) => ({ ...answer, newState: { ...(answer.newState as object), id: '\u0001'.repeat(15 << 20) } }),
    ],
  ])('%s is stored, and can be planned and destroyed', async (_, change) => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network)
    const plan = await s.plan()
    answers(s, 'applyResourceChange', change)
    expect(await plan.apply()).toBe('Applied')
    s.engine.providers.intercept = () => undefined
    const destroy = await s.plan({ mode: 'Destroy', refresh: 'None' })
    expect(await destroy.lines()).toEqual(['delete sim_network.a'])
  })

  test('a diagnostic of 15 MiB is a failure that is stored', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', network)
    const plan = await s.plan()
    const diagnostics = [{ severity: 'error', summary: 'no', detail: 'x'.repeat(15 << 20), attribute: [] }]
    answers(s, 'applyResourceChange', (answer) => ({ ...answer, newState: null, diagnostics }))
    expect(await plan.apply()).toBe('Failed')
  })

  test('beside a spec of almost 3 MiB leaves attributes out of the status', async () => {
    const s = await shared.scenario()
    const tags = Object.fromEntries(Array.from({ length: 45 }, (_none, at) => [`t${at}`, 'y'.repeat(60_000)]))
    await s.write('sim_bucket.b', { name: 'b', tags })
    const plan = await s.plan()
    expect(await plan.apply()).toBe('Applied')
  })
})
