import type { PlanSpec } from '@hykube/machinery/plan-api'
import { expect } from 'vitest'
import { failing } from '../faults.ts'
import type { Change, MadePlan, Scenario, Spec } from '../scenario.ts'
import { specOf } from './specs.ts'
import { addresses, type Life, type Step } from './step.ts'

/** Lets a sequence happen; after every plan that was applied, and at the end, the plan must be what it is without marks. */
export async function play(s: Scenario, { born, steps }: Life): Promise<void> {
  await s.keep('secrets', 'k', { token: '0', other: '0' })
  await s.keep('configmaps', 'c', { name: 'c0', n: '1' })
  await s.configure({ seed: 0 }, 'west')
  for (const [object, variant] of born.entries())
    if (variant !== undefined) await take(s, { do: 'write', object, variant })
  await (await s.plan()).apply()
  for (const step of steps) {
    await take(s, step)
    if (step.do === 'check' || step.do === 'apply') await compare(s)
  }
  await compare(s)
}

async function take(s: Scenario, step: Step): Promise<void> {
  switch (step.do) {
    case 'write': {
      const address = addresses[step.object]!
      if ((await s.read(address))?.metadata.deletionTimestamp !== undefined) return
      await allowed(s.write(address, specOf(address, step.variant)))
      return
    }
    case 'delete':
      await s.delete(addresses[step.object]!)
      return
    case 'undelete':
      if ((await s.read(addresses[step.object]!)) !== undefined) await s.undelete(addresses[step.object]!)
      return
    case 'keep':
      if (step.kind === 'secrets')
        await s.keep('secrets', 'k', { token: `${step.value & 1}`, other: `${step.value >> 1}` })
      else await s.keep('configmaps', 'c', { name: `c${step.value & 1}`, n: `${1 + (step.value >> 1)}` })
      return
    case 'configure':
      if (step.own) await allowed(s.configure(configs(s)[step.seed]!, 'west'))
      else await s.configure(configs(s)[step.seed % 3]!)
      return
    case 'upgrade':
      return s.engine.upgrade()
    case 'drift':
      return drift(s, step.object, step.gone)
    case 'apply':
      return apply(s, step.how, step.fault)
    case 'check':
      return
  }
}

// A configuration that would come from itself is refused, and everything stays as it is.
async function allowed(write: Promise<void>): Promise<void> {
  await write.catch((error: Error) => {
    if (!error.message.includes('would close a dependency cycle')) throw error
  })
}

// The third one is another cloud, where nothing is of what was made in the first. The last ones come from somewhere else.
function configs(s: Scenario): readonly Spec[] {
  return [
    { seed: 0 },
    { seed: 1 },
    { world: `sqlite:${s.world.file}-2` },
    { seed: '${configmap["c"].n}' },
    { seed: '${secret["k"].token}' },
    { seed: '${size(sim_network.n0.name)}' },
  ]
}

// Drift has no effect until a refresh.
async function drift(s: Scenario, object: number, gone: boolean): Promise<void> {
  const address = addresses[object]!
  const id = (await s.attributes(address))?.id as string | undefined
  const [type = ''] = address.split('.')
  if (id === undefined || type === 'data') return
  if (gone) s.world.remove(type, id)
  else if (s.world.read(type, id) !== undefined)
    s.world.edit(type, id, type === 'sim_network' ? { name: 'drifted' } : { tags: { drifted: 'yes' } })
  await s.plan({ refresh: 'All' })
}

const ways: readonly PlanSpec[] = [
  {},
  {},
  {},
  {},
  {},
  {},
  { kinds: ['sim_network', 'sim_bucket'] },
  { targets: ['sim_subnet.s0'] },
  { excludes: ['sim_network.n0'] },
  { mode: 'RefreshOnly' },
  { mode: 'Destroy', kinds: ['sim_null', 'sim_instance'] },
  { replace: ['sim_network.n0'] },
  { mode: 'Destroy', targets: ['sim_subnet.s0'] },
  { mode: 'Destroy', excludes: ['sim_instance.i0'] },
  { replace: ['sim_network.n0'], excludes: ['sim_subnet.s0'] },
  { targets: ['sim_bucket.b0[0]'] },
]

async function apply(s: Scenario, how: number, fault: number): Promise<void> {
  const types = ['sim_network', 'sim_subnet', 'sim_instance', 'sim_bucket', 'sim_null']
  const type = types[fault - 4]
  if (type !== undefined) failing(s, (call) => call.endsWith(type), fault % 2 === 0 ? 'before' : 'after')
  const plan = await s.plan(ways[how]!)
  await plan.apply()
  s.engine.providers.intercept = () => undefined
}

async function compare(s: Scenario): Promise<void> {
  const incremental = await shownBy(await s.plan())
  const everything = await shownBy(await s.plan({ scope: 'All' }))
  expect(incremental, 'the incremental plan is what planning everything gives').toEqual(everything)
  // Neither of them was applied, so that nothing is settled by having been planned.
  expect(await shownBy(await s.plan()), 'and so is the next one').toEqual(everything)
  expect(s.engine.reports).toEqual([])
}

async function shownBy(plan: MadePlan): Promise<readonly Change[]> {
  const { phase, message } = await plan.status()
  if (phase === 'Failed') throw new Error(`the plan failed: ${message}`)
  return plan.changes()
}
