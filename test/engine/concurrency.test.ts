import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applied, holding } from './faults.ts'
import { type MadePlan, type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const network = (name: string) => ({ name, cidr: '10.0.0.0/16' })
const results = async (plan: MadePlan) =>
  Object.fromEntries((await plan.changes()).map(({ address, outcome }) => [address, outcome?.result]))

/** Holds a provider's planning of a type back until it is let go. */
function holdingPlanning(s: Scenario, type: string): { readonly waits: Promise<void>; go(): void } {
  const held = Promise.withResolvers<void>()
  const waits = Promise.withResolvers<void>()
  s.engine.providers.intercept = ({ method, request, go }) => {
    if (method !== 'planResourceChange' || request.typeName !== type) return undefined
    waits.resolve()
    return held.promise.then(go)
  }
  return { waits: waits.promise, go: () => held.resolve() }
}

async function names(s: Scenario, type: string, wanted: string): Promise<number> {
  return s.world.all().filter((each) => each.type === type && each.object.name === wanted).length
}

describe('two plans over selections that overlap', () => {
  test('the second one goes stale in exactly what the first one touched', async () => {
    const s = await shared.scenario()
    const web = { labels: { team: 'web' } }
    await s.write('sim_network.shared', network('shared'), web)
    await s.write('sim_network.web', network('web'), web)
    await s.write('sim_network.data', network('data'))
    await s.write('sim_subnet.data', { network_id: '${sim_network.data.id}', cidr: '10.0.1.0/24' })
    const first = await s.plan({ selector: { matchLabels: { team: 'web' } } })
    const second = await s.plan({ excludes: ['sim_network.web'] })
    expect(await first.apply()).toBe('Applied')
    expect(await second.apply()).toBe('PartiallyApplied')
    expect(await results(second)).toEqual({
      'sim_network.shared': 'refused',
      'sim_network.data': 'applied',
      'sim_subnet.data': 'applied',
    })
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('both at once make each object once', async () => {
    const s = await shared.scenario()
    for (let i = 0; i < 6; i++) await s.write(`sim_network.n${i}`, network(`both-${i}`))
    const plans = await Promise.all([
      s.plan({ targets: [0, 1, 2, 3].map((i) => `sim_network.n${i}`) }),
      s.plan({ targets: [2, 3, 4, 5].map((i) => `sim_network.n${i}`) }),
    ])
    await Promise.all(plans.map((plan) => plan.apply()))
    for (let i = 0; i < 6; i++) expect(await names(s, 'sim_network', `both-${i}`)).toBe(1)
    const all = (await Promise.all(plans.map(results))).map((each) => Object.values(each))
    expect(all.flat().filter((result) => result === 'applied')).toHaveLength(6)
    expect(all.flat().filter((result) => result === 'refused')).toHaveLength(2)
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('an input that the first one changed refuses its users in the second, and nobody else', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('one'))
    await s.write('sim_null.user', { triggers: { n: '${sim_network.main.name}' } })
    await s.apply()
    await s.write('sim_null.user', { triggers: { n: '${sim_network.main.name}', more: 'x' } })
    await s.write('sim_null.other', { triggers: { n: '${sim_network.main.cidr}' } })
    const second = await s.plan()
    await s.write('sim_network.main', network('two'))
    expect(await (await s.apply({ kinds: ['sim_network'] })).phase()).toBe('Applied')
    expect(await second.apply()).toBe('PartiallyApplied')
    expect(await results(second)).toEqual({ 'sim_null.user': 'refused', 'sim_null.other': 'applied' })
    expect((await second.change('sim_null.user')).outcome?.message).toContain('sim_network.main.name has changed')
  })
})

describe('a plan that destroys what another plan makes something from', () => {
  const subnet = { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' }

  async function twoPlans(s: Scenario, name: string): Promise<{ destroying: MadePlan; making: MadePlan }> {
    await s.write('sim_network.main', network(name))
    await s.apply()
    const destroying = await s.plan({ mode: 'Destroy' })
    await s.write('sim_subnet.a', subnet)
    return { destroying, making: await s.plan() }
  }

  test('is refused while the other one is at it', async () => {
    const s = await shared.scenario()
    const { destroying, making } = await twoPlans(s, 'used')
    const held = holding(s, (call) => call === '+ sim_subnet')
    await making.decide('Approved')
    await held.waits
    expect(await destroying.apply()).toBe('Stale')
    expect((await destroying.change('sim_network.main')).outcome?.message).toContain(
      `plan "${making.name}" in namespace "default" is applying changes that use it`,
    )
    held.go()
    expect(await making.ends()).toBe('Applied')
    expect(await names(s, 'sim_network', 'used')).toBe(1)
  })

  test('goes first, and the other one is refused', async () => {
    const s = await shared.scenario()
    const { destroying, making } = await twoPlans(s, 'gone first')
    const before = s.world.all().filter(({ type }) => type === 'sim_subnet').length
    const held = holding(s, (call) => call === '- sim_network')
    await destroying.decide('Approved')
    await held.waits
    expect(await making.apply()).toBe('Stale')
    expect((await making.change('sim_subnet.a')).outcome?.message).toContain(
      `plan "${destroying.name}" in namespace "default" is destroying an object that it refers to`,
    )
    held.go()
    expect(await destroying.ends()).toBe('Applied')
    expect(s.world.all().filter(({ type }) => type === 'sim_subnet')).toHaveLength(before)
  })

  test('leaves nothing with a reference to nothing when both are approved at once', async () => {
    for (let round = 0; round < 8; round++) {
      const s = await shared.scenario()
      const { destroying, making } = await twoPlans(s, `raced with ${round}`)
      const order = round % 2 === 0 ? [destroying, making] : [making, destroying]
      await Promise.all(order.map((plan) => plan.apply()))
      const { id } = (await s.attributes('sim_subnet.a')) ?? {}
      const made = id === undefined ? undefined : s.world.read('sim_subnet', id)
      expect(made === undefined ? 0 : 1).toBe(await names(s, 'sim_network', `raced with ${round}`))
    }
  })

  test('is refused too when a data source is in between', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('image'))
    await s.write('data.sim_image.of', { name: '${sim_network.main.name}' })
    await s.apply()
    const destroying = await s.plan({ mode: 'Destroy' })
    await s.write('sim_instance.web', { subnet_id: 'any', image: '${data.sim_image.of.id}' })
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(await destroying.apply()).toBe('Stale')
    expect(await names(s, 'sim_network', 'image')).toBe(1)
  })
})

describe('an edit while a plan is being made', () => {
  test('is not lost: the plan is refused there, and the next one has it', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('before'))
    await s.write('sim_bucket.b', { name: 'b' })
    const held = holdingPlanning(s, 'sim_network')
    const making = s.plan()
    await held.waits
    await s.write('sim_network.main', network('after'))
    held.go()
    const plan = await making
    expect(await plan.apply()).toBe('PartiallyApplied')
    expect(await results(plan)).toEqual({ 'sim_network.main': 'refused', 'sim_bucket.b': 'applied' })
    expect(await (await s.apply()).lines()).toEqual(['create sim_network.main'])
    expect((await s.attributes('sim_network.main')).name).toBe('after')
  })

  test('of something that turns out unchanged is planned next', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('one'))
    await s.apply()
    await s.write('sim_network.main', { ...network('one'), lifecycle: { ignore_changes: ['cidr'] } })
    const held = holdingPlanning(s, 'sim_network')
    const making = s.plan()
    await held.waits
    await s.write('sim_network.main', network('two'))
    held.go()
    expect(await (await making).lines()).toEqual([])
    expect(await (await s.plan()).lines()).toEqual(['update sim_network.main'])
  })

  test('refuses the change of an object when it deletes the object', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('going'))
    const held = holdingPlanning(s, 'sim_network')
    const making = s.plan()
    await held.waits
    await s.delete('sim_network.main')
    held.go()
    expect(await (await making).apply()).toBe('Stale')
    expect(await names(s, 'sim_network', 'going')).toBe(0)
  })

  test('canceling it ends it', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('n'))
    const held = holdingPlanning(s, 'sim_network')
    const making = s.plan()
    await held.waits
    const path = '/apis/hykube.io/v1alpha1/namespaces/default/plans'
    const { items } = (await s.engine.api.get(path)).document
    expect((await s.engine.api.put(`${path}/${items[0].metadata.name}/cancel`, {})).status).toBe(200)
    held.go()
    expect(await (await making).phase()).toBe('Canceled')
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.main'])
  })
})

describe('an edit while a plan is being applied', () => {
  test('refuses what has not begun, and what has begun is planned anew', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('one'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
    await s.write('sim_subnet.b', { network_id: '${sim_network.main.id}', cidr: '10.0.2.0/24' })
    const plan = await s.plan()
    const held = holding(s, (call) => call === '+ sim_network')
    await plan.decide('Approved')
    await held.waits
    await s.write('sim_network.main', network('two'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.9.0/24' })
    held.go()
    expect(await plan.ends()).toBe('PartiallyApplied')
    expect(await results(plan)).toEqual({
      'sim_network.main': 'applied',
      'sim_subnet.a': 'refused',
      'sim_subnet.b': 'applied',
    })
    expect(await (await s.plan()).lines()).toEqual(['create sim_subnet.a', 'update sim_network.main'])
  })
})

describe('deciding on a plan', () => {
  test('by two at once counts once', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('decided'))
    const plan = await s.plan()
    const order = applied(s)
    const users = ['anna', 'bert', 'carl', 'dora']
    const answers = await Promise.all(users.map((user) => plan.decide('Approved', user)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await plan.ends()).toBe('Applied')
    const winner = users[answers.findIndex(({ status }) => status === 200)]
    expect((await plan.status()).approval?.by).toBe(winner)
    expect(order).toEqual(['+ sim_network'])
  })

  test('by one who approves and one who rejects, one of them is told that it is too late', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('contested'))
    const plan = await s.plan()
    const [yes, no] = await Promise.all([plan.decide('Approved', 'anna'), plan.decide('Rejected', 'bert')])
    expect([yes?.status, no?.status].sort()).toEqual([200, 409])
    const phase = await plan.ends()
    expect(phase).toBe(yes?.status === 200 ? 'Applied' : 'Rejected')
    expect(await names(s, 'sim_network', 'contested')).toBe(phase === 'Applied' ? 1 : 0)
  })

  test('by approving and canceling at once ends it, with or without the change, and says which', async () => {
    for (let round = 0; round < 5; round++) {
      const s = await shared.scenario()
      await s.write('sim_network.main', network(`canceled-${round}`))
      const plan = await s.plan()
      const [approved, canceled] = await Promise.all([plan.decide('Approved'), plan.cancel()])
      expect([200, 409]).toContain(approved?.status)
      expect([200, 409]).toContain(canceled?.status)
      const phase = await plan.ends()
      expect(['Applied', 'Canceled']).toContain(phase)
      expect(await names(s, 'sim_network', `canceled-${round}`)).toBe(phase === 'Applied' ? 1 : 0)
      expect(await (await s.plan()).lines()).toEqual(phase === 'Applied' ? [] : ['create sim_network.main'])
    }
  })

  test('needs somebody else than the author, also when both try at once', async () => {
    const s = await shared.scenario({ requireSecondApprover: true })
    await s.write('sim_network.main', network('four-eyes'))
    const plan = await s.plan({}, { user: 'anna' })
    const [own, other] = await Promise.all([plan.decide('Approved', 'anna'), plan.decide('Approved', 'bert')])
    expect([own?.status, other?.status]).toEqual([409, 200])
    expect(await plan.ends()).toBe('Applied')
    expect((await plan.status()).approval?.by).toBe('bert')
  })

  test('after it expired is too late', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('late'))
    const plan = await s.plan({ expiresAfter: '1ms' })
    await plan.ends()
    expect((await plan.decide('Approved')).status).toBe(409)
    expect(await names(s, 'sim_network', 'late')).toBe(0)
  })
})

describe('deleting while a plan is being applied', () => {
  test('an undelete before the destruction begins keeps the object and refuses the change', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('kept'))
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' })
    await s.apply()
    for (const address of ['sim_subnet.a', 'sim_network.main']) await s.delete(address)
    const plan = await s.plan()
    const held = holding(s, (call) => call === '- sim_subnet')
    await plan.decide('Approved')
    await held.waits
    expect((await s.undelete('sim_network.main')).status).toBe(200)
    held.go()
    expect(await plan.ends()).toBe('PartiallyApplied')
    expect(await results(plan)).toEqual({ 'sim_network.main': 'refused', 'sim_subnet.a': 'applied' })
    expect(await names(s, 'sim_network', 'kept')).toBe(1)
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('an undelete of an object that a plan is destroying is rejected', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('gone'))
    await s.apply()
    await s.delete('sim_network.main')
    const plan = await s.plan()
    const held = holding(s, (call) => call === '- sim_network')
    await plan.decide('Approved')
    await held.waits
    const answer = await s.undelete('sim_network.main')
    expect([answer.status, answer.document.message]).toEqual([409, expect.stringContaining('is destroying')])
    held.go()
    expect(await plan.ends()).toBe('Applied')
    expect(await s.read('sim_network.main')).toBeUndefined()
    expect(await names(s, 'sim_network', 'gone')).toBe(0)
  })

  test('an undelete and the beginning of the destruction: one of them happens', async () => {
    for (let round = 0; round < 8; round++) {
      const s = await shared.scenario()
      await s.write('sim_network.main', network(`raced-${round}`))
      await s.apply()
      await s.delete('sim_network.main')
      const plan = await s.plan()
      const deciding = plan.decide('Approved')
      for (let tick = 0; tick < round * 3; tick++) await Promise.resolve()
      const undeleted = (await s.undelete('sim_network.main')).status === 200
      await deciding
      await plan.ends()
      expect(await names(s, 'sim_network', `raced-${round}`)).toBe(undeleted ? 1 : 0)
      expect((await s.read('sim_network.main')) !== undefined).toBe(undeleted)
    }
  })

  test('a delete of what is being updated goes with the next plan', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('one'))
    await s.apply()
    await s.write('sim_network.main', network('two'))
    const plan = await s.plan()
    const held = holding(s, (call) => call === '~ sim_network')
    await plan.decide('Approved')
    await held.waits
    await s.delete('sim_network.main')
    held.go()
    expect(await plan.ends()).toBe('Applied')
    expect((await s.attributes('sim_network.main')).name).toBe('two')
    expect(await (await s.plan()).lines()).toEqual(['delete sim_network.main: delete_because_no_resource_config'])
  })

  test('a new object of the same name is another one', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', network('first'))
    await s.apply()
    await s.delete('sim_network.main')
    expect(await (await s.apply()).phase()).toBe('Applied')
    const [old] = [await s.plan()]
    await s.write('sim_network.main', network('second'))
    expect(await old.lines()).toEqual([])
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect([await names(s, 'sim_network', 'first'), await names(s, 'sim_network', 'second')]).toEqual([0, 1])
  })
})
