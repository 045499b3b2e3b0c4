import type { NormalChange, ShownChange } from './normal-form.ts'

// Each of these is a row of docs/differences-from-terraform.md, and is let pass in exactly that form.

/**
 * A deletion shows what is destroyed, as it was read just now. Terraform shows it as it was before that, and has what was read
 * in the prior state of the plan.
 */
export function asReadNow(changes: readonly ShownChange[], prior: readonly ReadResource[]): readonly ShownChange[] {
  const read = new Map(prior.filter(({ deposed_key }) => deposed_key === undefined).map((each) => [each.address, each]))
  return changes.map((shown) => {
    const before = shown.deposed === undefined ? read.get(shown.address)?.values : undefined
    const isDeletion = shown.change.actions.join() === 'delete'
    return isDeletion && before !== undefined ? { ...shown, change: { ...shown.change, before } } : shown
  })
}

/** A resource in a state that Terraform shows. */
export interface ReadResource {
  readonly address: string
  readonly deposed_key?: string
  readonly values: Readonly<Record<string, unknown>>
}

/** After a failure Hykube may have done more. Then only work is left that was planned before, or that Terraform has left, too. */
export function isRest(
  ours: readonly NormalChange[],
  theirs: readonly NormalChange[],
  planned: readonly NormalChange[],
): boolean {
  const left = new Set([...theirs, ...planned].map(({ address }) => address))
  return ours.every(({ address }) => left.has(address))
}

/** Terraform finds a circle among steps that Hykube can put in an order. */
export function isCircle(error: string): boolean {
  return error.startsWith('Error: Cycle')
}

/**
 * How many replacements may be asked for of so many. Terraform 1.11 keeps them in a list to which it adds what is triggered, in each
 * place a copy, all over the same memory: where the list has room to grow, that is when their number is no power of two, triggered
 * replacements overwrite each other and some are not planned.
 */
export function mostReplaced(wanted: number): number {
  return wanted === 0 ? 0 : 2 ** Math.floor(Math.log2(wanted))
}
