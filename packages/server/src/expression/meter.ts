/** The most that one expression may cost each time it is evaluated, in CEL's units. */
export const costLimitPerCall = 1_000_000

/** The most that all rules of one object may cost together. */
export const costLimitPerObject = 10_000_000

/** What an expression ends with when it has cost too much. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
    this.name = 'CostExceeded'
  }
}

/**
 * Counts what evaluations cost. Each call has a limit, and all calls of one meter share a budget, so that nothing a user
 * writes can hold the server up.
 */
export class Meter {
  /** What is left of the budget. */
  remaining: number
  #call = 0

  constructor(budget: number = costLimitPerObject) {
    this.remaining = budget
  }

  /** Begins a call with its own limit. */
  begin(): void {
    this.#call = 0
  }

  /** Counts a part of the call; fails when it was too much. */
  spend(cost: number): void {
    this.#call += cost
    this.remaining -= cost
    if (this.#call > costLimitPerCall) throw new CostExceeded()
  }
}
