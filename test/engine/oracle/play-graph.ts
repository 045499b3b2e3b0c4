import { expect } from 'vitest'
import { failing } from '../faults.ts'
import type { MadePlan, Scenario } from '../scenario.ts'
import { type GraphLife, type GraphStep, graphAddresses, graphSpec } from './graph.ts'

/** Lets a sequence happen; after every plan that was applied, nothing outside may refer to something that was destroyed. */
export async function playGraph(s: Scenario, { born, steps }: GraphLife): Promise<void> {
  const play = new GraphPlay(s)
  for (const [object, variant] of born.entries()) await play.take({ do: 'write', object, variant })
  for (const step of [apply, ...steps]) await play.take(step)
  play.clean()
}

const apply: GraphStep = { do: 'apply', plan: {}, fault: undefined }

class GraphPlay {
  readonly #s: Scenario
  /** References that a failed update left behind: what it refers to was replaced by destroying first, as the plan said. */
  readonly #excused = new Set<string>()

  #managed: ReadonlySet<string> = new Set()

  constructor(s: Scenario) {
    this.#s = s
  }

  async take(step: GraphStep): Promise<void> {
    const s = this.#s
    if (step.do === 'apply') return this.#apply(step)
    const address = graphAddresses[step.object]!
    const spec = step.do === 'write' ? graphSpec(step.object, step.variant) : undefined
    // A DELETE under prevent_destroy is refused, and a deleted object is not written.
    if (spec === undefined) await s.delete(address)
    else if ((await s.read(address))?.metadata.deletionTimestamp === undefined) await s.write(address, spec)
  }

  async #apply({ plan: spec, fault }: GraphStep & { readonly do: 'apply' }): Promise<void> {
    const s = this.#s
    const plan = await s.plan(spec)
    const { phase, message } = await plan.status()
    if (phase === 'Failed') {
      expect(message).toMatch(/does not exist/)
      expect(await plan.changes()).toEqual([])
      return
    }
    if (fault !== undefined) failing(s, (call) => call === fault)
    await plan.apply()
    s.engine.providers.intercept = () => undefined
    await this.#check(plan)
  }

  async #check(plan: MadePlan): Promise<void> {
    const all = this.#s.world.all()
    const ids = new Set(all.map(({ id }) => id))
    // Resources that were forgotten earlier are unmanaged, and may refer to resources that are destroyed now.
    const before = this.#managed
    this.#managed = await this.#managedIds()
    const known = all.filter(({ id }) => before.has(id) || this.#managed.has(id))
    const dead = known.flatMap(({ type, id, object }) =>
      [...JSON.stringify({ ...object, id: '' }).matchAll(idPattern)].flatMap(([used]) =>
        ids.has(used) || this.#excused.has(`${id} ${used}`) ? [] : [{ type, id, used }],
      ),
    )
    if (dead.length > 0) await this.#explain(plan, dead)
  }

  // A dependent of a replacement that destroys first is updated after it; when that update fails, the reference is a dead one.
  async #explain(plan: MadePlan, dead: readonly { type: string; id: string; used: string }[]): Promise<void> {
    const changes = await plan.changes()
    const isReplacedFirst = changes.some(({ action, order }) => action === 'replace' && order === 'delete-first')
    for (const { type, id, used } of dead) {
      const isFailed = changes.some(
        ({ address, action, outcome }) =>
          address.startsWith(`${type}.`) && action === 'update' && outcome?.result !== 'applied',
      )
      if (isFailed && isReplacedFirst) this.#excused.add(`${id} ${used}`)
      else throw new Error(`${type} ${id} refers to ${used}, which was destroyed:\n${JSON.stringify(changes, null, 1)}`)
    }
  }

  /** Takes away what is left, since the world is that of all sequences. */
  clean(): void {
    for (const { type, id } of this.#s.world.all()) if (this.#managed.has(id)) this.#s.world.remove(type, id)
  }

  async #managedIds(): Promise<ReadonlySet<string>> {
    const managed = new Set<string>()
    for await (const { record } of this.#s.engine.parts.estate.allStates('root'))
      managed.add((JSON.parse(record.attributes) as { id?: string } | null)?.id ?? '')
    return managed
  }
}

const idPattern = /\b[a-z]+-[0-9a-f]{16}\b/g
