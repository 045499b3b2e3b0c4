import { Typed, type Value } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../cel/values.ts'
import { CostExceeded, type Meter } from '../meter.ts'
import { type Reference, referenceToText } from './reference.ts'
import { type Found, MissingReference, type ValueScope } from './value-scope.ts'

/**
 * One evaluation. What is computed on the way is a provider's value, or one of the expression language: bigint for int,
 * number for double, Map, and what functions of the library give.
 */
export class Run {
  readonly #scope: ValueScope
  readonly #meter: Meter
  /** The values of macros' variables, by slot. */
  readonly locals: unknown[] = []
  /** Whether anything sensitive was touched so far. */
  sensitive = false

  constructor(scope: ValueScope, meter: Meter) {
    this.#scope = scope
    this.#meter = meter
  }

  /** Counts what something costs. Throws CostExceeded when it is too much for one evaluation or for the whole budget. */
  spend(cost: number): void {
    this.#meter.spend(cost)
    if (this.#meter.remaining < 0) throw new CostExceeded()
  }

  /** The value of a reference. Throws EvaluationFailure when there is none. */
  lookup(reference: Reference): Value {
    const { value } = this.find(reference)
    if (value === undefined)
      throw new EvaluationFailure(`${referenceToText(reference)} has no value: there is nothing at that place`)
    return value
  }

  /** What is found for a reference; the target must be there. */
  find(reference: Reference): Found {
    const found = this.#scope.lookup(reference)
    if (found === undefined) throw new MissingReference(reference)
    if (found.sensitive) this.sensitive = true
    return found
  }
}

/** A part of an expression, ready to be evaluated. */
export type Step = (run: Run) => unknown

/** A value without the type that a dynamic one carries along. */
export function bare(value: unknown): unknown {
  return value instanceof Typed ? value.value : value
}
