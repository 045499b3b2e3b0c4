import { unknown } from '@hykube/tfplugin/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

type Answer = Readonly<Record<string, unknown>>
type State = Readonly<Record<string, unknown>>

/** Has a provider answer truthfully, but for what is changed in the answer. */
function lying(s: Scenario, method: string, lie: (answer: Answer, call: number) => Answer): void {
  let calls = 0
  s.engine.providers.intercept = (call) =>
    call.method === method ? call.go().then((answer) => lie(answer as Answer, ++calls)) : undefined
}

const planned = (changes: State) => (answer: Answer) => ({
  ...answer,
  plannedState: { ...(answer.plannedState as State), ...changes },
})
const made = (changes: State) => (answer: Answer) => ({
  ...answer,
  newState: { ...(answer.newState as State), ...changes },
})

const bucket = { name: 'b', rules: [{ prefix: 'x', action: 'expire', after_days: 3 }], tags: { a: '1' } }

describe('a provider that plans what it must not', () => {
  test.each<[string, (answer: Answer) => Answer, string, string]>([
    ['another value than is configured', planned({ name: 'other' }), 'Provider produced invalid plan', 'name'],
    [
      'a value where none is configured and none may be computed',
      planned({ tags: null }),
      'Provider produced invalid plan',
      'tags',
    ],
    ['fewer blocks than are configured', planned({ rules: [] }), 'Provider produced invalid plan', 'rules'],
    ['nothing at all', (answer) => ({ ...answer, plannedState: null }), 'Provider produced invalid plan', ''],
    ['an unknown value where one is configured', planned({ name: unknown }), 'Provider produced invalid plan', 'name'],
  ])('%s', async (_, lie, summary, field) => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', bucket)
    lying(s, 'planResourceChange', lie)
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_bucket.b'])
    const { diagnostics = [] } = await plan.change('sim_bucket.b')
    expect(diagnostics[0]?.summary).toBe(summary)
    expect(`${diagnostics[0]?.field ?? ''} ${diagnostics[0]?.detail}`).toContain(field)
    expect(diagnostics[0]?.detail).toContain('bug in the provider')
  })

  test('is believed with a warning when it speaks the old way', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', bucket)
    lying(s, 'planResourceChange', (answer) => ({ ...planned({ name: 'other' })(answer), legacyTypeSystem: true }))
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_bucket.b'])
    expect((await plan.change('sim_bucket.b')).change.after.name).toBe('other')
  })

  test('something else when it is asked once more', async () => {
    const s = await shared.scenario()
    s.engine.providers.alter = (session) => ({ ...session, plansDeterministically: () => false })
    await s.write('sim_bucket.b', bucket)
    await s.apply()
    await s.write('sim_bucket.b', { ...bucket, tags: { a: '2' } })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['update sim_bucket.b'])
    lying(s, 'planResourceChange', planned({ id: 'another' }))
    expect(await plan.apply()).toBe('Failed')
    const { outcome } = await plan.change('sim_bucket.b')
    expect(outcome).toMatchObject({ result: 'failed' })
    expect(JSON.stringify(outcome)).toContain('Provider produced inconsistent final plan')
  })
})

describe('a provider that makes what was not planned', () => {
  test.each<[string, (answer: Answer) => Answer, string]>([
    ['another value', made({ name: 'other' }), 'Provider produced inconsistent result after apply'],
    ['fewer blocks', made({ rules: [] }), 'Provider produced inconsistent result after apply'],
    ['a value it does not know', made({ id: unknown }), 'Provider returned invalid result object after apply'],
    ['nothing', (answer) => ({ ...answer, newState: null }), 'Provider produced inconsistent result after apply'],
  ])('%s', async (_, lie, summary) => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', bucket)
    const plan = await s.plan()
    lying(s, 'applyResourceChange', lie)
    expect(await plan.apply()).toBe('Failed')
    const { outcome } = await plan.change('sim_bucket.b')
    expect(outcome).toMatchObject({ result: 'failed' })
    expect(JSON.stringify(outcome)).toContain(summary)
    const { conditions } = (await s.read('sim_bucket.b')).status
    expect(conditions.find((each: { type: string }) => each.type === 'Applied')).toMatchObject({ status: 'False' })
  })

  test('is believed with a warning when it speaks the old way', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', bucket)
    const plan = await s.plan()
    lying(s, 'applyResourceChange', (answer) => ({ ...made({ name: 'other' })(answer), legacyTypeSystem: true }))
    expect(await plan.apply()).toBe('Applied')
    expect((await s.attributes('sim_bucket.b')).name).toBe('other')
  })

  test('an object where it was to be destroyed keeps it', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', bucket)
    await s.apply()
    await s.delete('sim_bucket.b')
    const plan = await s.plan()
    s.engine.providers.intercept = ({ method, request }) =>
      method === 'applyResourceChange'
        ? Promise.resolve({
            newState: request.priorState,
            private: new Uint8Array(0),
            legacyTypeSystem: false,
            diagnostics: [],
          })
        : undefined
    expect(await plan.apply()).toBe('Failed')
    expect(await s.read('sim_bucket.b')).toBeDefined()
    s.engine.providers.intercept = () => undefined
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await s.read('sim_bucket.b')).toBeUndefined()
  })
})

describe('a provider that reads what can not be', () => {
  test.each<[string, (answer: Answer) => Answer]>([['a value it does not know', made({ name: unknown })]])(
    '%s blocks the object',
    async (_, lie) => {
      const s = await shared.scenario()
      await s.write('sim_bucket.b', bucket)
      await s.apply()
      lying(s, 'readResource', lie)
      const plan = await s.plan({ refresh: 'All' })
      expect(await plan.lines()).toEqual(['blocked sim_bucket.b'])
      expect((await plan.change('sim_bucket.b')).diagnostics?.[0]?.summary).toBe('Provider produced invalid object')
    },
  )

  test('a failure while reading is reported, without secrets', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 's3cret-token' })
    await s.write('sim_bucket.b', { ...bucket, tags: { t: '${secret["creds"].token}' } })
    await s.apply()
    const complain = { severity: 'error', summary: 's3cret-token', detail: 'the token s3cret-token is expired' }
    for (const method of ['readResource', 'validateResourceConfig', 'planResourceChange']) {
      lying(s, method, (answer) => ({ ...answer, diagnostics: [complain] }))
      const plan = await s.plan({ refresh: 'All', scope: 'All' })
      expect(await plan.lines()).toEqual(['blocked sim_bucket.b'])
      const shown = JSON.stringify([await plan.changes(), await plan.status(), await plan.json()])
      expect(shown).toContain('is expired')
      expect(shown).not.toContain('s3cret-token')
    }
  })
})
