import type { NodeFacts } from './facts.ts'
import type { Inputs } from './inputs.ts'

/** That all instances of an object with `count` are as they should be, and that there are no others. */
export interface BatchSettlement {
  /** Stands for everything that an instance's configuration follows from, but for its index. */
  readonly template: string
  readonly count: number
}

/** What is known of a batch as a whole, and when that was written; no revision when nothing ever was. */
export interface KnownBatch {
  readonly settled?: BatchSettlement
  readonly revision?: number
}

/** What a batch will be settled with once all of a plan was applied. */
export interface PlannedBatch extends BatchSettlement {
  /** The revision of what was known when the plan was made. */
  readonly seen?: number
}

/**
 * The template of an object's instances: with the same one, an instance that was settled is settled. Undefined where inputs are
 * not known yet, or are too many to be compared for less than looking at the instances would cost.
 */
export function templateOf(
  { uid, spec, importId, importIdentity }: NodeFacts,
  inputs: Inputs,
  refersTo: readonly string[],
  { package: hash, epoch, configuration }: ProviderVersion,
  hashText: (text: string) => string,
): string | undefined {
  const values = inputs.text(mostValues)
  if (values === undefined) return undefined
  const { count: _, ...template } = spec
  return hashText(
    JSON.stringify([uid, template, importId, importIdentity, values, refersTo, hash, epoch, configuration]),
  )
}

const mostValues = 1000

/** What of a configured provider an instance's configuration follows from. */
interface ProviderVersion {
  readonly package: string
  readonly epoch: string
  readonly configuration: string
}
