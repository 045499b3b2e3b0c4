import { changeRange, type Estate } from '../estate/index.ts'
import { addressOf, type NodePlace, nodeToText } from '../plan/index.ts'
import type { Revision } from '../storage/index.ts'
import type { ServedKinds } from './kind-catalogue.ts'
import type { PlanInHand } from './ledger.ts'

/**
 * Finds objects that came to use another one after a plan was made: applied by another plan, or about to be. What this plan destroys was
 * checked against the users that were known then.
 */
export class LaterUsers {
  readonly #estate: Estate
  readonly #kinds: ServedKinds
  readonly #plan: PlanInHand
  /** The last revision that planning knew. */
  readonly #through: Revision

  constructor(estate: Estate, kinds: ServedKinds, plan: PlanInHand, through: Revision) {
    this.#estate = estate
    this.#kinds = kinds
    this.#plan = plan
    this.#through = through
  }

  /** Why an object must not be destroyed; undefined when nothing came to use it. */
  async of(place: NodePlace): Promise<string | undefined> {
    for (const set of ['applied', 'desired'] as const)
      for await (const user of this.#estate.dependents(set, place)) {
        if (!(await this.#isLater(user, nodeToText(place)))) continue
        const { cluster, uid } = this.#plan
        if ((await this.#estate.count(changeRange(cluster, uid, user))) > 0) continue
        return `${this.#addressOf(user)} in namespace ${user.namespace} uses it since the plan was made: make a new plan`
      }
    return undefined
  }

  async #isLater(user: NodePlace, used: string): Promise<boolean> {
    if ((await this.#estate.openCalls(user)).size > 0) return true
    if (user.group.startsWith('data.')) return false
    const states = await this.#estate.states(user)
    return states.some(
      ({ current }) =>
        current !== undefined && current.revision > this.#through && current.record.dependencies.includes(used),
    )
  }

  #addressOf(place: NodePlace): string {
    const kind = this.#kinds.at(place.cluster, place.group, place.resource)
    return kind === undefined ? `${place.resource}/${place.name}` : addressOf({ place, kind })
  }
}
