import type { RunningPlan } from '../../estate/index.ts'
import { changeRange, type Estate } from '../../estate/index.ts'
import { addressOf, type ResourceRef, refToText } from '../../model/index.ts'
import type { ServedKinds } from '../../provider-kinds/index.ts'
import type { Revision } from '../../storage/index.ts'

/**
 * Finds dependents that another plan has applied, or is applying, since a plan was made. The planner checked destructions only against the
 * dependents that existed then.
 */
export class NewDependents {
  readonly #estate: Estate
  readonly #kinds: ServedKinds
  readonly #plan: RunningPlan
  /** The last revision that the planner has seen. */
  readonly #through: Revision

  constructor(estate: Estate, kinds: ServedKinds, plan: RunningPlan, through: Revision) {
    this.#estate = estate
    this.#kinds = kinds
    this.#plan = plan
    this.#through = through
  }

  /** Returns why an object must not be destroyed; undefined when it has no new dependent. */
  of(ref: ResourceRef): Promise<string | undefined> {
    return this.#of(ref, new Set())
  }

  // A data source has no real resource, so its dependents use the objects that it was read from.
  async #of(ref: ResourceRef, seen: Set<string>): Promise<string | undefined> {
    seen.add(refToText(ref))
    for (const set of ['applied', 'desired'] as const)
      for await (const user of this.#estate.dependents(set, ref)) {
        const isData = user.group.startsWith('data.')
        if (isData && seen.has(refToText(user))) continue
        const found = isData ? await this.#of(user, seen) : await this.#message(user, refToText(ref))
        if (found !== undefined) return found
      }
    return undefined
  }

  async #message(user: ResourceRef, used: string): Promise<string | undefined> {
    if (!(await this.#isNew(user, used))) return undefined
    const { cluster, uid } = this.#plan
    if ((await this.#estate.count(changeRange(cluster, uid, user))) > 0) return undefined
    return `${this.#addressOf(user)} in namespace ${user.namespace} uses it since the plan was made: make a new plan`
  }

  async #isNew(user: ResourceRef, used: string): Promise<boolean> {
    if ((await this.#estate.openCalls(user)).size > 0) return true
    const states = await this.#estate.states(user)
    return states.some(
      ({ current }) =>
        current !== undefined && current.revision > this.#through && current.record.dependencies.includes(used),
    )
  }

  #addressOf(ref: ResourceRef): string {
    const kind = this.#kinds.at(ref.cluster, ref.group, ref.resource)
    return kind === undefined ? `${ref.resource}/${ref.name}` : addressOf({ ref, kind })
  }
}
