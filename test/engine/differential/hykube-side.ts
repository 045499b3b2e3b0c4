import type { MadePlan, Scenario } from '../scenario.ts'
import type { World } from '../world.ts'
import type { Declared } from './declared.ts'
import type { Names } from './normal-form.ts'
import type { Side, SidePlan, Targeted, Trouble } from './side.ts'

/** Hykube, of the two that are compared. */
export class HykubeSide implements Side {
  readonly world: World
  readonly #s: Scenario
  readonly #written = new Set<string>()
  #plan: MadePlan | undefined

  constructor(s: Scenario, world: World) {
    this.#s = s
    this.world = world
  }

  async write(all: readonly Declared[]): Promise<void> {
    const wanted = new Set(all.map(({ address }) => address))
    for (const address of this.#written) if (!wanted.has(address)) await this.#s.delete(address)
    for (const { address, spec } of all) await this.#s.write(address, spec)
    this.#written.clear()
    for (const address of wanted) this.#written.add(address)
  }

  async plan(replaced: readonly string[], targeted?: Targeted): Promise<SidePlan> {
    this.#plan = await this.#s.plan({ refresh: 'All', replace: replaced, ...targeted })
    const { resource_changes } = await this.#plan.json()
    const stuck = (await this.#plan.changes()).filter(({ action }) => action === 'blocked' || action === 'deferred')
    return {
      changes: resource_changes,
      troubles: stuck.map(({ address, action, message }) => ({ address, text: `${action}: ${message}` })),
    }
  }

  async apply(): Promise<{ readonly troubles: readonly Trouble[] }> {
    const phase = await this.#plan!.apply()
    if (phase === 'Applied' || phase === 'NoChanges') return { troubles: [] }
    const left = (await this.#plan!.changes()).filter(({ outcome }) => outcome?.result !== 'applied')
    return {
      troubles: left.map(({ address, action, outcome }) => ({
        address,
        text: `${action} ${outcome?.result ?? 'was not begun'}: ${outcome?.message ?? ''}`,
      })),
    }
  }

  async names(): Promise<Names> {
    const { estate, kinds } = this.#s.engine.parts
    const names = new Map<string, string>()
    for await (const { ref: node, instance, slot, record } of estate.allStates('root')) {
      const kind = kinds.at('root', node.group, node.resource)
      if (kind === undefined || kind.data || slot === 'observed') continue
      const key = instance === undefined ? '' : `[${JSON.stringify(instance)}]`
      const deposed = slot === 'current' ? '' : ' (deposed)'
      names.set(JSON.parse(record.attributes).id, `${kind.type}.${node.name}${key}${deposed}`)
    }
    return names
  }
}
