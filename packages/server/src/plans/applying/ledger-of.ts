import type { Ledger } from '../../applying/index.ts'
import { EstateLedger, type RunningPlan } from '../../estate/index.ts'
import type { BegunIntent, IntentDraft, OutcomeDraft, Refusal } from '../../model/index.ts'
import type { EngineParts } from '../engine-parts.ts'

/** Returns the ledger of a plan. */
export function ledgerOf(parts: EngineParts, plan: RunningPlan): Ledger {
  const { objects, estate, clock, longestCall, reached } = parts
  const ledger = new EstateLedger(plan, objects, estate, () => clock.now(), longestCall)
  return reached === undefined ? ledger : withFaultPoints(ledger, reached)
}

// Reports each step of the journal, for tests that kill the server at that step.
function withFaultPoints(ledger: Ledger, reached: NonNullable<EngineParts['reached']>): Ledger {
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
    retry: (begun, process) => ledger.retry(begun, process),
    recordOutcome: (change, outcome) => ledger.recordOutcome(change, outcome),
  }
}
