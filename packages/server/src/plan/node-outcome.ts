import type { Outputs } from './outputs.ts'

/** What a plan found out about one object. */
export type NodeOutcome =
  /** Nothing to do, or not part of the selection: it is what it was. */
  | { readonly kind: 'unchanged'; readonly outputs: () => Promise<Outputs> }
  /** It changes: in these attributes, as others see it; `*` when there are other instances. */
  | {
      readonly kind: 'changed'
      readonly attributes: ReadonlySet<string>
      /** Those that an update or a replacement changes outside, and `*` when there is one. */
      readonly triggers: ReadonlySet<string>
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

/** Whether an object has those replaced that name it, or an attribute of it, in `replace_triggered_by`. */
export function triggers(outcome: NodeOutcome, attribute: string): boolean {
  return outcome.kind === 'changed' && outcome.triggers.has(attribute)
}

/** Whether what an object's users look up may differ from what they were last settled with. */
export function concerns(outcome: NodeOutcome, attribute: string): boolean {
  if (outcome.kind === 'unchanged') return false
  if (outcome.kind !== 'changed') return true
  const { attributes } = outcome
  return attribute === '*' ? attributes.size > 0 : attributes.has(attribute) || attributes.has('*')
}
