/** The cost limit of one evaluation, in CEL's cost units; Kubernetes' PerCallLimit. */
export const costLimitPerCall = 1_000_000

/** The cost limit of all rules of one object together; Kubernetes' RuntimeCELCostBudget. */
export const costLimitPerObject = 10_000_000

/** The cost limit of all templates of one object together: they are evaluated in one turn of the event loop. */
export const costLimitPerTemplates = 1_000_000

/** The error of an evaluation that exceeds its cost limit. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
    this.name = 'CostExceeded'
  }
}

/**
 * Counts the cost of evaluations. Each evaluation has a limit, and all evaluations of one meter share a budget, so that no
 * expression of a user can block the server.
 */
export class Meter {
  /** The rest of the budget; negative if it is exceeded. */
  remaining: number
  #call = 0

  constructor(budget: number = costLimitPerObject) {
    this.remaining = budget
  }

  /** Starts a new evaluation with its own limit. */
  begin(): void {
    this.#call = 0
  }

  /** Adds to the cost of the current evaluation; fails above its limit. */
  spend(cost: number): void {
    this.#call += cost
    this.remaining -= cost
    if (this.#call > costLimitPerCall) throw new CostExceeded()
  }
}
