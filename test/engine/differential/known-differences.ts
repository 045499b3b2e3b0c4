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

/** Terraform destroys or replaces a target although something that is not part of the plan uses it; Hykube blocks that. */
export function isKeptInUse(trouble: string): boolean {
  return trouble.includes('it is not part of this plan')
}

/** Terraform finds a circle among steps that Hykube can put in an order. */
export function isCircle(error: string): boolean {
  return error.startsWith('Error: Cycle')
}

/**
 * Terraform 1.11 adds what is triggered to the list of replacements that were asked for, for several objects at once in the same memory:
 * then some are overwritten. Such an object is not replaced, and still has the reason of it.
 */
export function isMissingTriggered(changes: readonly ShownChange[]): boolean {
  return changes.some(
    ({ action_reason, change }) => action_reason === 'replace_by_triggers' && !change.actions.includes('create'),
  )
}
