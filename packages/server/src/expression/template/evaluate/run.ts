import { Typed, type Value } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import { CostExceeded, type Meter } from '../../meter.ts'
import { type Reference, referenceToText } from '../syntax/reference.ts'
import { type Found, MissingReference, type ValueScope } from './value-scope.ts'

/**
 * The state of one evaluation. Intermediate values are provider values, or CEL values: bigint for int, number for double, Map,
 * and results of library functions.
 */
export class Run {
  readonly #scope: ValueScope
  readonly #meter: Meter
  /** The values of macro variables, by slot. */
  readonly locals: unknown[] = []
  /** A sensitive value was read. */
  sensitive = false

  constructor(scope: ValueScope, meter: Meter) {
    this.#scope = scope
    this.#meter = meter
  }

  /** Adds to the cost. Throws CostExceeded above the limit of one evaluation or of the whole budget. */
  spend(cost: number): void {
    this.#meter.spend(cost)
    if (this.#meter.remaining < 0) throw new CostExceeded()
  }

  /** The value of a reference. Throws EvaluationFailure if the object has nothing at the path. */
  lookup(reference: Reference): Value {
    const { value } = this.find(reference)
    if (value === undefined) throw new EvaluationFailure(`${referenceToText(reference)} has no value at this path`)
    return value
  }

  /** Looks a reference up. Throws MissingReference if its object doesn't exist. */
  find(reference: Reference): Found {
    const found = this.#scope.lookup(reference)
    if (found === undefined) throw new MissingReference(reference)
    if (found.sensitive) this.sensitive = true
    return found
  }
}

/** A compiled subexpression. */
export type Step = (run: Run) => unknown

/** Removes the type wrapper of a dynamic value. */
export function withoutType(value: unknown): unknown {
  return value instanceof Typed ? value.value : value
}
