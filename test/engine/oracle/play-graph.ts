import { expect } from 'vitest'
import type { MadePlan, Scenario, Spec } from '../scenario.ts'
import { type GraphLife, type GraphStep, graphAddresses, graphSpec, movedFrom } from './graph.ts'
import type { MemoryCloud } from './memory-cloud.ts'

/**
 * Lets a sequence happen. After every plan that was applied no real resource may refer to one that was destroyed, and none may be lost:
 * each is managed by an object, or was forgotten.
 */
export async function playGraph(s: Scenario, cloud: MemoryCloud, { born, steps }: GraphLife): Promise<void> {
  const play = new GraphPlay(s, cloud)
  await Promise.all(born.map((variant, object) => play.create(object, variant)))
  for (const step of [apply, ...steps]) await play.take(step)
}

const apply: GraphStep = { do: 'apply', plan: {}, fault: undefined }

class GraphPlay {
  readonly #s: Scenario
  readonly #cloud: MemoryCloud
  /** References that a failed update left behind: what it refers to was replaced by destroying first, as the plan said. */
  readonly #excused = new Set<string>()

  #managed: ReadonlySet<string> = new Set()

  constructor(s: Scenario, cloud: MemoryCloud) {
    this.#s = s
    this.#cloud = cloud
  }

  async create(object: number, variant: number): Promise<void> {
    const spec = graphSpec(object, variant)
    if (spec !== undefined) await this.#s.create(graphAddresses[object]!, spec)
  }

  async take(step: GraphStep): Promise<void> {
    switch (step.do) {
      case 'apply':
        return this.#apply(step)
      case 'move':
        return this.#move(step.to, movedFrom[step.to]!)
      case 'delete':
        // Refused under prevent_destroy, and 404 where the object does not exist.
        await this.#s.delete(step.address)
        return
      case 'write':
        return this.#write(graphAddresses[step.object]!, graphSpec(step.object, step.variant))
    }
  }

  // A deleted object can't be written.
  async #write(address: string, spec: Spec | undefined): Promise<void> {
    const s = this.#s
    if (spec === undefined) await s.delete(address)
    else if ((await s.read(address))?.metadata.deletionTimestamp === undefined) await s.write(address, spec)
  }

  async #move(to: string, from: string): Promise<void> {
    const s = this.#s
    const [old, other] = [await s.read(from), await s.read(to)]
    if (old !== undefined && other === undefined)
      await s.write(to, old.spec, { annotations: { 'hykube.io/moved-from': from } })
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
    this.#cloud.fault = fault
    await plan.apply()
    this.#cloud.fault = undefined
    await this.#check(plan)
  }

  async #check(plan: MadePlan): Promise<void> {
    const all = this.#cloud.all()
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
    const lost = all.filter(({ id }) => before.has(id) && !this.#managed.has(id))
    if (lost.length > 0) await this.#explainLost(plan, lost)
  }

  // Only a change that forgets leaves something behind that nothing here manages.
  async #explainLost(plan: MadePlan, lost: readonly { type: string; id: string }[]): Promise<void> {
    const changes = await plan.changes()
    for (const { type, id } of lost) {
      const isForgotten = changes.some(
        ({ address, action, order }) =>
          address.startsWith(`${type}.`) && (action === 'forget' || order === 'forget-first'),
      )
      if (!isForgotten) throw new Error(`${type} ${id} is lost:\n${JSON.stringify(changes, null, 1)}`)
    }
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

  async #managedIds(): Promise<ReadonlySet<string>> {
    const managed = new Set<string>()
    for await (const { record } of this.#s.engine.parts.estate.allStates('root', this.#s.namespace))
      managed.add((JSON.parse(record.attributes) as { id?: string } | null)?.id ?? '')
    return managed
  }
}

const idPattern = /\b[a-z]+-[0-9a-f]{16}\b/g
