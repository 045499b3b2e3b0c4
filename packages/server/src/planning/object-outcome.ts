import type { Outputs } from '../evaluation/index.ts'
import type { InstanceSelector } from '../expression/index.ts'
import type { InstanceKey } from '../model/index.ts'

/** The result of planning one object, as its dependents see it. */
export type ObjectOutcome =
  /** No change, or not selected. */
  | { readonly kind: 'unchanged'; readonly outputs: () => Promise<Outputs> }
  /** These attributes change; `*` when instances are added or removed. */
  | {
      readonly kind: 'changed'
      /** True when something remains to be applied; false for a data source that was only read. */
      readonly isPending: boolean
      readonly attributes: ReadonlySet<string>
      /** The attributes of the real resource that an update or replacement changes, and `*` if there is any. */
      readonly triggers: ReadonlySet<string>
      /** The same per instance. */
      readonly triggersOf: ReadonlyMap<InstanceKey, readonly string[]>
      readonly outputs: () => Promise<Outputs>
    }
  /** It is destroyed. */
  | { readonly kind: 'destroyed' }
  /** The object doesn't exist. */
  | { readonly kind: 'missing' }
  /** It can't be planned. `root` is the cause at the end of a chain of blocked or deferred objects. */
  | { readonly kind: 'blocked'; readonly message: string; readonly root?: string }
  /** It can be planned only after other changes are applied. */
  | { readonly kind: 'deferred'; readonly message: string; readonly root?: string }

/**
 * True when the outcome of an object triggers the replacement of an instance that names the object, one of its instances or an attribute
 * in `replace_triggered_by`.
 */
export function triggers(
  outcome: ObjectOutcome,
  attribute: string,
  instance: InstanceSelector,
  own: InstanceKey,
): boolean {
  if (outcome.kind !== 'changed') return false
  if (instance.kind !== 'key' && instance.kind !== 'same') return outcome.triggers.has(attribute)
  return outcome.triggersOf.get(instance.kind === 'key' ? instance.key : own)?.includes(attribute) === true
}

/** True when dependents must wait until the plan is applied. */
export function isPending(outcome: ObjectOutcome): boolean {
  return outcome.kind === 'changed' ? outcome.isPending : outcome.kind !== 'unchanged'
}

/** True when the value of an attribute may differ from the one that dependents were settled with. */
export function affects(outcome: ObjectOutcome, attribute: string): boolean {
  if (outcome.kind === 'unchanged') return false
  if (outcome.kind !== 'changed') return true
  const { attributes } = outcome
  return attribute === '*' ? attributes.size > 0 : attributes.has(attribute) || attributes.has('*')
}
