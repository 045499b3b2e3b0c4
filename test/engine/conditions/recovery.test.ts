import type { PlanSpec } from '@hykube/machinery/plan-api'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failing } from '../faults.ts'
import { type MadePlan, Scenario, SharedSim, type Spec } from '../scenario.ts'
import { addresses, lives, type Step } from './lives.ts'
import { pendingProblems, settledProblems } from './settled.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const sequences = Number(process.env.HYKUBE_CONDITION_SEQUENCES ?? 100)
const seed = Number(process.env.HYKUBE_CONDITION_SEED ?? 20261118)

test(`in ${sequences} random lives with failures, conditions recover when nothing is left to do`, {
  timeout: 0,
}, async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (steps) => {
      const scenario = await Scenario.open(shared.sim)
      try {
        await new Life(scenario).run(steps)
      } finally {
        await scenario.close()
      }
    }),
    { numRuns: sequences, seed, interruptAfterTimeLimit: 3_600_000 },
  )
})

/** One sequence: what was written before, and the plans that wait. */
class Life {
  readonly #s: Scenario
  readonly #specs = new Map<string, Spec[]>()
  readonly #plans: MadePlan[] = []
  #moves = 0

  constructor(scenario: Scenario) {
    this.#s = scenario
  }

  async run(steps: readonly Step[]): Promise<void> {
    const s = this.#s
    await s.keep('configmaps', 'c', { n: '2' })
    for (const object of addresses.keys()) await this.#take({ do: 'write', object, variant: 0 })
    await s.apply()
    for (const step of steps) {
      await this.#take(step)
      expect(await pendingProblems(s), `after ${JSON.stringify(step)}`).toEqual([])
    }
    await this.#settle()
    expect(await settledProblems(s), 'after the plan of what changed').toEqual([])
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).phase()).toBe('NoChanges')
    expect(await settledProblems(s), 'after the plan of everything').toEqual([])
    expect(s.engine.reports).toEqual([])
  }

  // Applies without failures until a plan that looks everywhere, and then the plan of what changed, have nothing to do.
  async #settle(): Promise<void> {
    this.#s.engine.providers.intercept = () => undefined
    for (let round = 0; round < 8; round++) {
      const plan = await this.#s.plan({ refresh: 'All' })
      if ((await plan.phase()) === 'NoChanges') return
      await plan.apply()
      if ((await plan.phase()) === 'Applied') {
        // Nothing of this plan is left to do: an incremental plan alone must find that out.
        const next = await this.#s.plan()
        if ((await next.phase()) === 'NoChanges') return
      }
    }
    const lines = await (await this.#s.plan({ scope: 'All' })).changes()
    throw new Error(`there is always something to do: ${JSON.stringify(lines)}`)
  }

  async #take(step: Step): Promise<void> {
    const s = this.#s
    switch (step.do) {
      case 'write':
        return this.#write(addresses[step.object]!, specOf(addresses[step.object]!, step.variant))
      case 'revert': {
        const before = this.#specs.get(addresses[step.object]!)?.at(-2)
        if (before !== undefined) await this.#write(addresses[step.object]!, before)
        return
      }
      case 'delete':
        // Objects that others depend on are not deleted: a plan with blocked objects would leave pending changes.
        if (step.object > 0) await s.delete(addresses[step.object]!)
        return
      case 'undelete':
        if ((await s.read(addresses[step.object]!)) !== undefined) await s.undelete(addresses[step.object]!)
        return
      case 'move':
        return this.#move(addresses[step.object]!, step.instance)
      case 'drift':
        return this.#drift(addresses[step.object]!, step.gone)
      case 'keep':
        return s.keep('configmaps', 'c', { n: `${step.value}` })
      case 'plan':
        this.#plans.push(await s.plan(step.refreshed ? { refresh: 'All' } : {}))
        return
      case 'apply':
        return this.#apply(step.old ? this.#plans.shift() : undefined, ways[step.how]!, step.fault)
    }
  }

  async #write(address: string, spec: Spec): Promise<void> {
    if ((await this.#s.read(address))?.metadata.deletionTimestamp !== undefined) return
    await this.#s.write(address, spec)
    this.#specs.set(address, [...(this.#specs.get(address) ?? []), spec])
  }

  // The whole object, or one of its instances; what is written of the old one stays as it is, or asks for fewer.
  async #move(address: string, instance: number): Promise<void> {
    const old = await this.#s.read(address)
    if (address.startsWith('data.') || address === 'sim_network.n' || old === undefined) return
    const [type = ''] = address.split('.')
    const isBatch = typeof old.spec.count === 'number'
    const source = isBatch && instance > 0 ? `${address}[${instance - 1}]` : address
    const { count: _, for_each: __, ...one } = old.spec
    const spec = isBatch && instance === 0 ? old.spec : { ...one, ...(type === 'sim_bucket' && { name: 'moved' }) }
    const annotations = { 'hykube.io/moved-from': source }
    await this.#s.write(`${type}.moved-${++this.#moves}`, spec, { annotations })
  }

  async #drift(address: string, gone: boolean): Promise<void> {
    const id = (await this.#s.attributes(address))?.id as string | undefined
    const [type = ''] = address.split('.')
    if (id === undefined || type === 'data' || this.#s.world.read(type, id) === undefined) return
    if (gone) this.#s.world.remove(type, id)
    else this.#s.world.edit(type, id, type === 'sim_network' ? { name: 'drifted' } : { tags: { drifted: 'yes' } })
    await this.#s.plan({ mode: 'RefreshOnly' })
  }

  async #apply(old: MadePlan | undefined, spec: PlanSpec, fault: number): Promise<void> {
    const call = faults[fault]
    if (call !== undefined) failing(this.#s, (each) => each === call, fault % 2 === 0 ? 'before' : 'after')
    await (old ?? (await this.#s.plan(spec))).apply()
    this.#s.engine.providers.intercept = () => undefined
  }
}

const ways: readonly PlanSpec[] = [
  {},
  {},
  {},
  {},
  { refresh: 'All' },
  { mode: 'RefreshOnly' },
  { targets: ['sim_bucket.b'] },
  { replace: ['sim_null.t'] },
  { mode: 'Destroy', kinds: ['sim_null', 'sim_bucket'] },
]

const faults = [
  '+ sim_bucket',
  '~ sim_bucket',
  '- sim_bucket',
  '~ sim_network',
  '- sim_null',
  '+ sim_null',
  '- sim_subnet',
  '+ sim_subnet',
]

function specOf(address: (typeof addresses)[number], variant: number): Spec {
  const bit = (at: number) => ((variant >> at) & 1) === 1
  const lifecycle = bit(3) ? { lifecycle: { create_before_destroy: true } } : {}
  switch (address) {
    case 'sim_network.n':
      return { name: bit(0) ? '${"one"}' : bit(1) ? 'two' : 'one', cidr: '10.0.0.0/16' }
    case 'sim_subnet.s':
      return { network_id: '${sim_network.n.id}', cidr: bit(0) ? '10.0.1.0/24' : '10.0.2.0/24', ...lifecycle }
    case 'sim_bucket.b':
      return buckets(variant)
    case 'sim_null.t':
      return { triggers: { a: bit(0) ? '${sim_network.n.name}' : `${variant >> 1}` }, ...lifecycle }
    case 'data.sim_image.d':
      return bit(2)
        ? { count: variant & 3, name: 'd-${count.index}' }
        : { name: bit(1) ? '${sim_network.n.name}' : `${variant & 1}` }
  }
}

function buckets(variant: number): Spec {
  const tags = { t: `${variant >> 3}` }
  switch (variant & 7) {
    case 0:
    case 1:
    case 2:
    case 3:
      return { count: variant & 3, name: 'b-${count.index}', tags }
    case 4:
      return { count: '${configmap["c"].n}', name: 'b-${count.index}', tags }
    case 5:
      return { for_each: { x: '1', y: '2' }, name: '${each.key}', tags }
    case 6:
      return { for_each: { x: '1' }, name: '${each.key}', tags }
    default:
      return { name: 'only', tags }
  }
}
