/** The plan that holds a claim. */
export interface ClaimingPlan {
  readonly uid: string
  readonly name: string
  readonly namespace: string
}

/**
 * The objects that running plans use and destroy. A plan must not destroy an object while another plan creates something from it; the plan
 * that comes second is refused. Claims are kept in memory, because all plans run in one process. Calls that a crash left open are found in
 * the journal.
 */
export class UseClaims {
  readonly #uses = new Claims()
  readonly #destructions = new Claims()

  /** Claims objects as used. Returns the plan that is destroying one of them instead, if there is one. */
  use(plan: ClaimingPlan, refs: readonly string[]): Claimed | ClaimingPlan {
    return this.#destructions.otherOf(plan, refs) ?? this.#uses.add(plan, refs)
  }

  /** Claims an object as being destroyed. Returns the plan that is using it instead, if there is one. */
  destroy(plan: ClaimingPlan, ref: string): Claimed | ClaimingPlan {
    return this.#uses.otherOf(plan, [ref]) ?? this.#destructions.add(plan, [ref])
  }
}

/** A claim, to be ended after the outcome is stored. */
export interface Claimed {
  readonly end: () => void
}

class Claims {
  readonly #plans = new Map<string, Map<string, { readonly plan: ClaimingPlan; count: number }>>()

  otherOf({ uid }: ClaimingPlan, refs: readonly string[]): ClaimingPlan | undefined {
    for (const ref of refs)
      for (const { plan } of this.#plans.get(ref)?.values() ?? []) if (plan.uid !== uid) return plan
    return undefined
  }

  add(plan: ClaimingPlan, refs: readonly string[]): Claimed {
    for (const ref of refs) {
      const plans = this.#plans.get(ref) ?? new Map()
      this.#plans.set(ref, plans)
      const own = plans.get(plan.uid) ?? { plan, count: 0 }
      plans.set(plan.uid, own)
      own.count++
    }
    return { end: () => this.#remove(plan, refs) }
  }

  #remove({ uid }: ClaimingPlan, refs: readonly string[]): void {
    for (const ref of refs) {
      const plans = this.#plans.get(ref)
      const own = plans?.get(uid)
      if (plans === undefined || own === undefined || --own.count > 0) continue
      plans.delete(uid)
      if (plans.size === 0) this.#plans.delete(ref)
    }
  }
}
