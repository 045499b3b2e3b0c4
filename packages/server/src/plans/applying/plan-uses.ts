import type { Claim } from '../../applying/index.ts'
import type { Estate, RunningPlan } from '../../estate/index.ts'
import { type Refusal, type ResourceRef, refFromText, refToText } from '../../model/index.ts'
import type { NewDependents } from './new-dependents.ts'
import type { ClaimingPlan, UseClaims } from './use-claims.ts'

/** Keeps a plan from destroying objects that other plans use, and from using objects that other plans destroy. */
export class PlanUses {
  readonly #estate: Estate
  readonly #plan: RunningPlan
  readonly #claims: UseClaims
  readonly #newDependents: NewDependents
  /** Why claimed objects must not be destroyed. Valid while the object is claimed, because no other plan can begin to use it. */
  readonly #destroying = new Map<string, { readonly user: Promise<string | undefined>; count: number }>()

  constructor(estate: Estate, plan: RunningPlan, claims: UseClaims, newDependents: NewDependents) {
    this.#estate = estate
    this.#plan = plan
    this.#claims = claims
    this.#newDependents = newDependents
  }

  /** Claims the objects that an instance is created from. */
  async use(refersTo: readonly string[]): Promise<Claim | Refusal> {
    const refs = await this.#reached(refersTo)
    const claimed = this.#claims.use(
      this.#plan,
      refs.map((ref) => this.#text(ref)),
    )
    if (!('end' in claimed)) return refused(claimed)
    for (const ref of refs) {
      const other = await this.#openDestruction(refFromText(this.#plan.cluster, ref))
      if (other === undefined) continue
      claimed.end()
      return refused(other)
    }
    return { kind: 'claimed', end: claimed.end }
  }

  /** Claims an object that is to be destroyed. Refuses when it has a new dependent since the plan was made. */
  async destroy(ref: ResourceRef): Promise<Claim | Refusal> {
    const text = this.#text(refToText(ref))
    const claimed = this.#claims.destroy(this.#plan, text)
    if (!('end' in claimed))
      return { kind: 'refused', message: `${planText(claimed)} is applying changes that use it: make a new plan` }
    const destruction = this.#destroying.get(text) ?? { user: this.#newDependents.of(ref), count: 0 }
    this.#destroying.set(text, destruction)
    destruction.count++
    const end = () => {
      claimed.end()
      if (--destruction.count === 0) this.#destroying.delete(text)
    }
    const user = await destruction.user.catch((error: unknown) => {
      end()
      throw error
    })
    if (user === undefined) return { kind: 'claimed', end }
    end()
    return { kind: 'refused', message: user }
  }

  // An instance that uses a data source also uses the objects that the data source was read from.
  async #reached(refersTo: readonly string[]): Promise<readonly string[]> {
    if (!refersTo.some(isData)) return refersTo
    const found = new Set(refersTo)
    for (const ref of found)
      if (isData(ref))
        for (const { current } of await this.#estate.states(refFromText(this.#plan.cluster, ref)))
          for (const used of current?.record.dependencies ?? []) found.add(used)
    return [...found]
  }

  // Returns the plan of an open destroy call, which an earlier server may have left.
  async #openDestruction(ref: ResourceRef): Promise<ClaimingPlan | undefined> {
    if ((await this.#estate.openCalls(ref)).size === 0) return undefined
    for await (const { intent } of this.#estate.intentsOf(ref))
      if (intent.step.startsWith('delete') && intent.plan !== this.#plan.uid)
        return { uid: intent.plan, name: intent.planName, namespace: intent.planNamespace }
    return undefined
  }

  #text(ref: string): string {
    return `${this.#plan.cluster}/${ref}`
  }
}

function refused(plan: ClaimingPlan): Refusal {
  return { kind: 'refused', message: `${planText(plan)} is destroying an object that it refers to: make a new plan` }
}

function planText({ name, namespace }: ClaimingPlan): string {
  return `plan ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`
}

function isData(ref: string): boolean {
  return ref.startsWith('data.')
}
