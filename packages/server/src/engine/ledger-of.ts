import type { BegunIntent, IntentDraft, Ledger, OutcomeDraft, Refusal } from '../apply/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { EstateLedger, type PlanInHand } from './ledger.ts'

/** The ledger of a plan. */
export function ledgerOf(parts: EngineParts, plan: PlanInHand): Ledger {
  const { objects, estate, clock, longestCall, reached } = parts
  const ledger = new EstateLedger(plan, objects, estate, () => clock.now(), longestCall)
  return reached === undefined ? ledger : watched(ledger, reached)
}

// Tells of each step as it is reached, in servers that are tested for what a crash does just there.
function watched(ledger: Ledger, reached: NonNullable<EngineParts['reached']>): Ledger {
  return {
    begin: async (draft: IntentDraft): Promise<BegunIntent | Refusal> => {
      if (draft.call === undefined) return ledger.begin(draft)
      const { address } = draft.change.record
      await reached('before-intent', address)
      const begun = await ledger.begin(draft)
      await reached('after-intent', address)
      return begun
    },
    end: async (begun: BegunIntent, outcome: OutcomeDraft) => {
      const { address } = begun.draft.change.record
      await reached('after-answer', address)
      await ledger.end(begun, outcome)
      await reached('after-result', address)
    },
    again: (begun, process) => ledger.again(begun, process),
    note: (change, outcome) => ledger.note(change, outcome),
  }
}
