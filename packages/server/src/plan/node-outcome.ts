import type { InstanceSelector } from '../expression/index.ts'
import type { Outputs } from './outputs.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'

/** What a plan found out about one object. */
export type NodeOutcome =
  /** Nothing to do, or not part of the selection: it is what it was. */
  | { readonly kind: 'unchanged'; readonly outputs: () => Promise<Outputs> }
  /** It changes: in these attributes, as others see it; `*` when there are other instances. */
  | {
      readonly kind: 'changed'
      /** Whether something of it is left to be done when the plan is applied: not so for what was only read. */
      readonly isPending: boolean
      readonly attributes: ReadonlySet<string>
      /** Those that an update or a replacement changes outside, and `*` when there is one. */
      readonly triggers: ReadonlySet<string>
      /** The same of each instance that has some. */
      readonly triggersOf: ReadonlyMap<InstanceKey, readonly string[]>
      readonly outputs: () => Promise<Outputs>
    }
  /** It goes. */
  | { readonly kind: 'going' }
  /** There is none. */
  | { readonly kind: 'missing' }
  /** Something is in the way. */
  | { readonly kind: 'blocked'; readonly message: string; readonly root?: string }
  /** How many instances it has can't be known yet. `root` is, here as above, what is at the end of a chain of such. */
  | { readonly kind: 'deferred'; readonly message: string; readonly root?: string }

/**
 * Whether an object has an instance of another one replaced that names it, one of its instances or an attribute in
 * `replace_triggered_by`.
 */
export function triggers(
  outcome: NodeOutcome,
  attribute: string,
  instance: InstanceSelector,
  own: InstanceKey,
): boolean {
  if (outcome.kind !== 'changed') return false
  if (instance.kind !== 'key' && instance.kind !== 'same') return outcome.triggers.has(attribute)
  return outcome.triggersOf.get(instance.kind === 'key' ? instance.key : own)?.includes(attribute) === true
}

/** Whether what waits for an object, whatever of it, has to wait until the plan is applied. */
export function isPending(outcome: NodeOutcome): boolean {
  return outcome.kind === 'changed' ? outcome.isPending : outcome.kind !== 'unchanged'
}

/** Whether what an object's users look up may differ from what they were last settled with. */
export function concerns(outcome: NodeOutcome, attribute: string): boolean {
  if (outcome.kind === 'unchanged') return false
  if (outcome.kind !== 'changed') return true
  const { attributes } = outcome
  return attribute === '*' ? attributes.size > 0 : attributes.has(attribute) || attributes.has('*')
}
